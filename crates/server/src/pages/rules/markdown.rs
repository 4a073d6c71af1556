//! The rules of an engine, written in Markdown, as HTML: headings, paragraphs, lists, tables, `code`, **bold**.

/// The HTML of a text; whatever it holds is escaped.
pub fn html(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            continue;
        }
        if let Some(title) = trimmed.strip_prefix("## ").or_else(|| trimmed.strip_prefix("### ")) {
            let id = anchor(title);
            out.push_str(&format!("<h3 id=\"{id}\">{}</h3>", inline(title)));
        } else if trimmed.starts_with("# ") {
            // The page has its own title.
        } else if let Some(first) = item(trimmed) {
            out.push_str("<ul class=\"dots\">");
            let mut text = first.to_owned();
            while let Some(next) = lines.peek().map(|next| next.trim()) {
                if next.is_empty() {
                    break;
                }
                match item(next) {
                    Some(another) => {
                        out.push_str(&format!("<li>{}</li>", inline(&text)));
                        text = another.to_owned();
                    }
                    None => text = format!("{text} {next}"),
                }
                lines.next();
            }
            out.push_str(&format!("<li>{}</li></ul>", inline(&text)));
        } else if trimmed.starts_with('|') {
            let mut rows = vec![trimmed.to_owned()];
            while let Some(next) = lines.next_if(|next| next.trim().starts_with('|')) {
                rows.push(next.trim().to_owned());
            }
            out.push_str(&table(&rows));
        } else if trimmed.starts_with("```") || line.starts_with("    ") {
            let fenced = trimmed.starts_with("```");
            let mut code = if fenced { String::new() } else { format!("{trimmed}\n") };
            for next in lines.by_ref() {
                if fenced && next.trim() == "```" || !fenced && next.trim().is_empty() {
                    break;
                }
                let next = if fenced { next } else { next.strip_prefix("    ").unwrap_or(next) };
                code.push_str(&format!("{}\n", next.trim_end()));
            }
            out.push_str(&format!("<pre class=\"formula\">{}</pre>", escape(&code)));
        } else {
            let mut text = trimmed.to_owned();
            let begins = |next: &str| next.is_empty() || next.starts_with(['#', '|']) || item(next).is_some();
            while let Some(next) = lines.next_if(|next| !begins(next.trim())) {
                text = format!("{text} {}", next.trim());
            }
            out.push_str(&format!("<p>{}</p>", inline(&text)));
        }
    }
    out
}

fn item(line: &str) -> Option<&str> {
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))
}

fn table(rows: &[String]) -> String {
    let is_rule = |row: &str| row.chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' '));
    let mut out = String::from("<table class=\"list\">");
    let mut head = rows.get(1).is_some_and(|row| is_rule(row));
    for row in rows.iter().filter(|row| !is_rule(row)) {
        out.push_str("<tr>");
        for cell in row.trim_matches('|').split('|') {
            let (open, close) = if head { ("<th scope=\"col\">", "</th>") } else { ("<td>", "</td>") };
            out.push_str(&format!("{open}{}{close}", inline(cell.trim())));
        }
        out.push_str("</tr>");
        head = false;
    }
    out + "</table>"
}

/// `code` and **bold**; nothing within code is marked.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for (index, piece) in text.split('`').enumerate() {
        if index % 2 == 1 {
            out.push_str(&format!("<code>{}</code>", escape(piece)));
            continue;
        }
        for (index, piece) in piece.split("**").enumerate() {
            if index > 0 {
                out.push_str(if index % 2 == 1 { "<b>" } else { "</b>" });
            }
            out.push_str(&escape(piece));
        }
    }
    out
}

fn anchor(title: &str) -> String {
    let kept = title.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    kept.collect::<String>().to_lowercase()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_knows() {
        for (text, says) in [
            ("# Title\n\nOne\ntwo `a<b` **bold**.", "<p>One two <code>a&lt;b</code> <b>bold</b>.</p>"),
            ("## A part\n", "<h3 id=\"a-part\">A part</h3>"),
            (
                "- one\n  more\n- two\n\nafter",
                "<ul class=\"dots\"><li>one more</li><li>two</li></ul><p>after</p>",
            ),
            (
                "| a | b |\n|---|---|\n| 1 | <2> |",
                "<table class=\"list\"><tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr>\
                 <tr><td>1</td><td>&lt;2&gt;</td></tr></table>",
            ),
            ("    x = 1\n    y = 2\n\nend", "<pre class=\"formula\">x = 1\ny = 2\n</pre><p>end</p>"),
            ("```\na & b\n```\n", "<pre class=\"formula\">a &amp; b\n</pre>"),
        ] {
            assert_eq!(html(text), says);
        }
    }
}
