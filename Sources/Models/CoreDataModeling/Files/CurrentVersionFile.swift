import CoreDataFoundation

/// The property list `.xccurrentversion`, of whose XML one value is wanted.
enum CurrentVersionFile {
    static let greatestSize = 64 << 10

    private static let key = "_XCCurrentVersionName"

    /// The text under `_XCCurrentVersionName`; nil if it is missing.
    static func name(in data: Data) -> String? { text(in: [UInt8](data))?.name }

    /// The file with another name in it and nothing else changed; nil if it holds no name.
    static func data(_ data: Data, naming name: String) -> Data? {
        let bytes = [UInt8](data)
        guard let present = text(in: bytes) else { return nil }
        guard present.name != name else { return data }
        return Data(
            bytes[..<present.place.lowerBound] + MarkupText.escaped(name).utf8 + bytes[present.place.upperBound...])
    }

    /// The name and its place; nil if the file is not well-formed.
    private static func text(in bytes: [UInt8]) -> (name: String, place: Range<Int>)? {
        var lexer = MarkupLexer(bytes, rules: MarkupRules())
        var found: (name: String, place: Range<Int>)?
        var (key, element) = ("", "")
        do {
            while let token = try lexer.next() {
                switch (token, element) {
                case (.startTag, _):
                    element = try lexer.string(lexer.name)
                    if element != "string" { key = "" }
                case (.text, "key"): key = try lexer.resolved(lexer.range)
                case (.text, "string"):
                    if key == Self.key, found == nil { found = (try lexer.resolved(lexer.range), lexer.range) }
                    key = ""
                case (.emptyTag, _): key = ""
                case (.endTag, _): element = ""
                default: break
                }
            }
        } catch {
            return nil
        }
        return found
    }

    /// The file as Xcode writes it.
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
