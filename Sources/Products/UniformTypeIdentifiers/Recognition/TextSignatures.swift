/// What a text begins with. Only texts in UTF-8 or ASCII, perhaps behind a byte order mark, are looked at.
enum TextSignatures {
    static func type(of bytes: [UInt8]) -> UTType? {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop { isSpace($0) }
        if begins(text, "begin:vcard") { return .vCard }
        if begins(text, "begin:vcalendar") { return .calendar }
        if begins(text, "#!") { return .script }
        guard text.first == UInt8(ascii: "<") else { return nil }
        return markup(text)
    }

    /// The first element's name, behind declarations and comments.
    private static func markup(_ text: ArraySlice<UInt8>) -> UTType? {
        var rest = text
        var isXML = false
        while rest.first == UInt8(ascii: "<") {
            if begins(rest, "<!doctype html") { return isXML ? .xhtml : .html }
            if begins(rest, "<?xml") { isXML = true }
            let end: [UInt8]
            if begins(rest, "<!--") {
                end = Array("-->".utf8)
            } else if begins(rest, "<?") || begins(rest, "<!") {
                end = [UInt8(ascii: ">")]
            } else {
                return element(rest.dropFirst(), isXML: isXML)
            }
            guard let next = after(end, in: rest) else { break }
            rest = next.drop { isSpace($0) }
        }
        return isXML ? .xml : nil
    }

    private static func element(_ text: ArraySlice<UInt8>, isXML: Bool) -> UTType? {
        let name = String(decoding: text.prefix { isNameByte($0) }, as: UTF8.self)
        switch name.split(separator: ":").last.map(String.init) ?? name {
        case "svg": return .svg
        case "gpx": return .gpx
        case "kml": return .kml
        case "plist": return .xmlPropertyList
        case let other where other.lowercased() == "html": return isXML ? .xhtml : .html
        default: return isXML ? .xml : nil
        }
    }

    private static func after(_ end: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        text.indices.first { text[$0...].starts(with: end) }.map { text[$0...].dropFirst(end.count) }
    }

    /// Whether a text begins with small letters, whatever the case of its own.
    private static func begins(_ text: ArraySlice<UInt8>, _ start: String) -> Bool {
        text.prefix(start.utf8.count).map { (65...90).contains($0) ? $0 | 32 : $0 }.elementsEqual(start.utf8)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        !isSpace(byte) && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
    }
}
