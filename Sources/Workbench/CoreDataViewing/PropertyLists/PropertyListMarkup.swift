import CoreData

/// Writes property lists as XML, in the format of Apple's tools: keys in the order of their bytes, indented by one tab
/// for each level.
enum PropertyListMarkup {
    static func text(_ list: PropertyList) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        append(list, 0, to: &text)
        return text + "</plist>\n"
    }

    private static func append(_ list: PropertyList, _ depth: Int, to text: inout String) {
        let margin = String(repeating: "\t", count: depth)
        switch list {
        case .array(let elements), .set(let elements):
            guard !elements.isEmpty else {
                text += "\(margin)<array/>\n"
                return
            }
            text += "\(margin)<array>\n"
            for element in elements { append(element, depth + 1, to: &text) }
            text += "\(margin)</array>\n"
        case .dictionary(let pairs):
            guard !pairs.isEmpty else {
                text += "\(margin)<dict/>\n"
                return
            }
            text += "\(margin)<dict>\n"
            for (key, value) in pairs.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                text += "\(margin)\t<key>\(escaped(key))</key>\n"
                append(value, depth + 1, to: &text)
            }
            text += "\(margin)</dict>\n"
        default: text += "\(margin)\(leaf(list))\n"
        }
    }

    private static func leaf(_ list: PropertyList) -> String {
        switch list {
        case .boolean(let flag): flag ? "<true/>" : "<false/>"
        case .integer(let number): "<integer>\(number)</integer>"
        case .unsigned(let number): "<integer>\(number)</integer>"
        case .real(let number): "<real>\(number)</real>"
        case .date(let date): "<date>\(PropertyList.text(date))</date>"
        case .data(let data): "<data>\(data.base64EncodedString())</data>"
        case .string(let string): "<string>\(escaped(string))</string>"
        default: "<string></string>"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\r", with: "&#13;")
    }
}
