// TypeScript types of the HTTP interface, made from the OpenAPI document on standard input.

import { readFileSync } from "node:fs";

const document = JSON.parse(readFileSync(0, "utf8"));

/** The TypeScript type of a schema. */
function typeOf(schema) {
  if (!schema || Object.keys(schema).length === 0) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(typeOf).join(" | ");
  if (schema.allOf) return schema.allOf.map(typeOf).join(" & ");
  const kinds = [schema.type].flat().map((type) => {
    switch (type) {
      case "array":
        return list(typeOf(schema.items));
      case "object":
        return schema.properties ? `{ ${fieldsOf(schema, " ").join(" ")} }` : "Record<string, unknown>";
      case "integer":
      case "number":
        return "number";
      case undefined:
        return "unknown";
      default:
        return type;
    }
  });
  return kinds.join(" | ");
}

const list = (of) => (/[ |&]/.test(of) ? `(${of})[]` : `${of}[]`);

function fieldsOf(schema, indent) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const about = field.description ? `${indent}/** ${field.description.replaceAll("\n", " ")} */\n` : "";
    const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
    return `${indent === " " ? "" : about}${indent}${key}${required.has(name) ? "" : "?"}: ${typeOf(field)};`;
  });
}

console.log("// Made by scripts/http from the OpenAPI document of the service; do not edit.");
for (const [name, schema] of Object.entries(document.components.schemas)) {
  const about = schema.description ? `/** ${schema.description.replaceAll("\n", " ")} */\n` : "";
  if (schema.type === "object" && schema.properties) {
    console.log(`\n${about}export interface ${name} {\n${fieldsOf(schema, "  ").join("\n")}\n}`);
  } else {
    console.log(`\n${about}export type ${name} = ${typeOf(schema)};`);
  }
}

/** The JSON that a request or an answer holds; `unknown` where it is no JSON. */
const jsonOf = (part) => typeOf(part?.content?.["application/json"]?.schema);

/** The parameters of an operation that stand in its path, or in its query. */
function parametersOf({ parameters = [] }, where) {
  const fields = parameters.filter((parameter) => parameter.in === where).map(({ name, required, schema }) => `${name}${required ? "" : "?"}: ${typeOf(schema)};`);
  return fields.length > 0 ? `{ ${fields.join(" ")} }` : null;
}

console.log("\n/** What every operation of /v1 is asked with, and what it answers. */\nexport interface Operations {");
for (const [path, methods] of Object.entries(document.paths).filter(([path]) => path.startsWith("/v1/"))) {
  for (const operation of Object.values(methods)) {
    const query = parametersOf(operation, "query");
    const parts = [
      ["path", parametersOf(operation, "path")],
      [query && /[^?]: /.test(query) ? "query" : "query?", query],
      ["body", operation.requestBody ? (jsonOf(operation.requestBody) === "Record<string, unknown>" ? "object | string" : jsonOf(operation.requestBody)) : null],
      ["answer", jsonOf(operation.responses["200"] ?? operation.responses["201"])],
    ];
    const members = parts.filter(([, type]) => type).map(([name, type]) => `${name}: ${type};`);
    console.log(`  ${operation.operationId}: { ${members.join(" ")} };`);
  }
}
console.log("}");
