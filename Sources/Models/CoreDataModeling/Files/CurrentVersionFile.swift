import CoreDataFoundation

/// Reads and writes the property list `.xccurrentversion`, which names the current version of a model's source.
enum CurrentVersionFile {
    static let greatestSize = 64 << 10

    private static let key = "_XCCurrentVersionName"

    /// The text under `_XCCurrentVersionName`; nil if it is missing.
    static func name(in data: Data) -> String? { text(in: [UInt8](data))?.name }

    /// The file with another version name and otherwise unchanged; nil if it does not have a name.
    static func data(_ data: Data, naming name: String) -> Data? {
        let bytes = [UInt8](data)
        guard let present = text(in: bytes) else { return nil }
        guard present.name != name else { return data }
        return Data(
            bytes[..<present.place.lowerBound] + MarkupText.escaped(name).utf8 + bytes[present.place.upperBound...])
    }

    /// The name, and the range of bytes between its tags; nil if there is none or the file up to it is not well-formed.
    private static func text(in bytes: [UInt8]) -> (name: String, place: Range<Int>)? {
        var lexer = MarkupLexer(bytes, rules: MarkupRules())
        var (key, element, name) = ("", "", "")
        var start: Int?
        do {
            while let token = try lexer.next() {
                switch (token, element) {
                case (.startTag, _):
                    element = try lexer.string(lexer.name)
                    if element == "string", key == Self.key { start = lexer.offset }
                    key = ""
                case (.text, "key"): key += try lexer.resolved(lexer.range)
                case (.text, "string"): if start != nil { name += try lexer.resolved(lexer.range) }
                case (.endTag, _):
                    if let start { return (name, start..<lexer.range.lowerBound) }
                    element = ""
                case (.emptyTag, _): key = ""
                default: break
                }
            }
        } catch {
            return nil
        }
        return nil
    }

    /// A new file in the form that Xcode writes.
    static func data(naming name: String) -> Data {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>\(key)</key>
            \t<string>\(MarkupText.escaped(name))</string>
            </dict>
            </plist>

            """
        return Data(text.utf8)
    }
}
