import CoreDataFoundation

/// The property list `.xccurrentversion`, of whose XML one value is wanted.
enum CurrentVersionFile {
    static let greatestSize = 64 << 10

    /// The text under `_XCCurrentVersionName`; nil if it is missing.
    static func name(in data: Data) -> String? {
        guard let text = String(validating: data, as: UTF8.self), let range = range(in: text) else { return nil }
        return MarkupText.decoded(String(text[range]))
    }

    /// The file with another name in it and nothing else changed; nil if it holds no name.
    static func data(_ data: Data, naming name: String) -> Data? {
        guard var text = String(validating: data, as: UTF8.self), let range = range(in: text) else { return nil }
        guard MarkupText.decoded(String(text[range])) != name else { return data }
        text.replaceSubrange(range, with: encoded(name))
        return Data(text.utf8)
    }

    /// The file as Xcode writes it.
    static func data(naming name: String) -> Data {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>_XCCurrentVersionName</key>
            \t<string>\(encoded(name))</string>
            </dict>
            </plist>

            """
        return Data(text.utf8)
    }

    private static func range(in text: String) -> Range<String.Index>? {
        guard let key = text.range(of: "<key>_XCCurrentVersionName</key>"),
            let start = text.range(of: "<string>", range: key.upperBound..<text.endIndex),
            let end = text.range(of: "</string>", range: start.upperBound..<text.endIndex),
            text[key.upperBound..<start.lowerBound].allSatisfy(\.isWhitespace)
        else { return nil }
        return start.upperBound..<end.lowerBound
    }

    /// In text, unlike in an attribute, a property list escapes `>` and leaves quotes alone.
    private static func encoded(_ name: String) -> String {
        name.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
