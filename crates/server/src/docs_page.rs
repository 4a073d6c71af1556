//! The OpenAPI document as one page that loads nothing from elsewhere.

use std::fmt::Write;

use serde_json::Value;

use crate::codes::GROUPS;

/// Renders the document.
pub fn render(document: &str) -> String {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let mut page = String::from(HEAD);
    let icon = crate::pages::assets::icon();
    let _ = write!(page, "<link rel=\"icon\" href=\"{icon}\" type=\"image/svg+xml\"><main>");
    let _ = write!(
        page,
        "<h1>OnGrid <small>HTTP interface</small></h1><p>{}</p>",
        text(&document["info"]["description"])
    );
    page.push_str(
        "<p>The document itself: <a href=\"/openapi.json\">/openapi.json</a> (OpenAPI 3.1). \
         On this page: the routes, <a href=\"#codes\">codes</a>, <a href=\"#schemas\">schemas</a>.</p>",
    );
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, route) in methods.as_object().into_iter().flatten() {
            render_route(&mut page, method, path, route);
        }
    }
    render_codes(&mut page);
    page.push_str("<h2 id=\"schemas\">Schemas</h2>");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let _ = write!(page, "<details id=\"{0}\"><summary><code>{0}</code></summary><table>", escape(name));
        for (field, about) in schema["properties"].as_object().into_iter().flatten() {
            let _ = write!(
                page,
                "<tr><td><code>{}</code><td>{}<td>{}",
                escape(field),
                kind(about),
                text(&about["description"])
            );
        }
        page.push_str("</table></details>");
    }
    page.push_str("</main></html>");
    page
}

fn render_route(page: &mut String, method: &str, path: &str, route: &Value) {
    let _ = write!(
        page,
        "<section><h3><b>{}</b> <code>{}</code></h3><p>{} {}</p><table>",
        method.to_uppercase(),
        escape(path),
        text(&route["summary"]),
        text(&route["description"])
    );
    for parameter in route["parameters"].as_array().into_iter().flatten() {
        let name = text(&parameter["name"]);
        let _ = write!(
            page,
            "<tr><td><code>{name}</code><td>{}<td>{}",
            text(&parameter["in"]),
            text(&parameter["description"])
        );
    }
    for (status, answer) in route["responses"].as_object().into_iter().flatten() {
        let schema = answer["content"]
            .as_object()
            .and_then(|content| content.values().next())
            .map(|content| kind(&content["schema"]));
        let description = text(&answer["description"]);
        let _ =
            write!(page, "<tr><td><code>{status}</code><td>{}<td>{description}", schema.unwrap_or_default());
    }
    page.push_str("</table></section>");
}

/// Where the `type` of a problem leads.
fn render_codes(page: &mut String) {
    page.push_str(
        "<h2 id=\"codes\">Codes</h2><p>The <code>code</code> of a problem; its <code>type</code> leads here.</p>",
    );
    for group in &GROUPS {
        let _ = write!(page, "<h3>{}</h3><table>", escape(group.title));
        for (code, about) in group.codes {
            let about = marked(about);
            let _ = write!(page, "<tr id=\"{code}\"><td><code>{code}</code><td>{about}");
        }
        page.push_str("</table>");
    }
}

fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("<a href=\"#{0}\">{0}</a>", escape(name));
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) => escape(name),
        Value::Array(names) => {
            names.iter().filter_map(Value::as_str).map(escape).collect::<Vec<_>>().join(" or ")
        }
        _ => String::new(),
    }
}

/// Text of a document member, with `code` marked.
fn text(value: &Value) -> String {
    marked(value.as_str().unwrap_or_default())
}

fn marked(text: &str) -> String {
    let mut marked = String::new();
    for (index, piece) in text.split('`').enumerate() {
        if index > 0 {
            marked.push_str(if index % 2 == 1 { "<code>" } else { "</code>" });
        }
        marked.push_str(&escape(piece));
    }
    marked
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const HEAD: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>OnGrid HTTP interface</title>\
<meta name=\"viewport\" content=\"width=device-width\"><style>\
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:auto;padding:1rem}\
h3{margin:2rem 0 .2rem}table{border-collapse:collapse;width:100%}td{border-top:1px solid #8884;padding:.25rem .5rem;vertical-align:top}\
code{font-family:ui-monospace,monospace}small{opacity:.7}</style>";

#[cfg(test)]
mod tests {
    #[test]
    fn every_route_is_on_the_page() {
        let document = crate::openapi::document();
        let page = super::render(&document);
        let parsed: serde_json::Value = serde_json::from_str(&document).unwrap();
        let paths = parsed["paths"].as_object().unwrap();
        assert!(paths.len() > 8);
        for path in paths.keys() {
            assert!(page.contains(&super::escape(path)), "{path}");
        }
        assert!(
            !page.contains("http://") && !page.contains("https://"),
            "the page loads something from elsewhere"
        );
    }
    /// The `type` of a problem is `/docs#<code>`.
    #[test]
    fn every_code_of_the_document_has_its_place() {
        let document = crate::openapi::document();
        let page = super::render(&document);
        let parsed: serde_json::Value = serde_json::from_str(&document).unwrap();
        let mut codes = std::collections::BTreeSet::new();
        for route in
            parsed["paths"].as_object().unwrap().values().flat_map(|it| it.as_object().unwrap().values())
        {
            for (status, answer) in route["responses"].as_object().unwrap() {
                let about = answer["description"].as_str().unwrap();
                if status.as_str() >= "400" {
                    codes.extend(about.split('`').skip(1).step_by(2));
                }
            }
        }
        assert!(codes.len() > 40);
        for code in codes {
            assert_eq!(page.matches(&format!(" id=\"{code}\"")).count(), 1, "{code}");
        }
    }
}
