import Foundation

extension XMLTokenizer {
    /// Comments and sections of characters; a document type is refused.
    func declaration(_ place: TextPosition) throws(TrackError) -> Token? {
        _ = try bytes.next()
        switch try bytes.next() {
        case UInt8(ascii: "-"):
            try take("-", "of a comment")
            _ = try upTo("-->", place, "comment")
            return nil
        case UInt8(ascii: "["):
            for character in "CDATA[".unicodeScalars { try take(character, "of CDATA") }
            let text = try string(upTo("]]>", place, "section CDATA"))
            guard !open.isEmpty else {
                throw error(.malformed, "there is text outside of the outermost element", at: place)
            }
            return .text(text)
        default:
            throw error(
                .entities, "the file has a document type or another declaration, and those can have entities",
                hint: "remove <!DOCTYPE …>: GPX has none", at: place)
        }
    }

    mutating func instruction(_ place: TextPosition) throws(TrackError) {
        let isFirst = place == TextPosition()
        let text = String(decoding: try upTo("?>", place, "instruction"), as: UTF8.self)
        guard isFirst, text.hasPrefix("?xml"), let mark = text.range(of: "encoding") else { return }
        let value = text[mark.upperBound...].drop { $0 == "=" || $0.isWhitespace || $0 == "\"" || $0 == "'" }
        let name = value.prefix { $0 != "\"" && $0 != "'" }.lowercased()
        switch name {
        case "utf-8", "utf8", "us-ascii", "ascii": break
        case "iso-8859-1", "latin1", "latin-1": isLatin = true
        default:
            throw error(
                .malformed, "the encoding \(name.prefix(40)) is not read", hint: "save the file in UTF-8", at: place)
        }
    }

    /// The bytes before an end mark, which is taken.
    func upTo(_ end: String, _ place: TextPosition, _ what: String) throws(TrackError) -> [UInt8] {
        let mark = Array(end.utf8)
        var found: [UInt8] = []
        while let byte = try bytes.next() {
            found.append(byte)
            if found.suffix(mark.count).elementsEqual(mark) { return found.dropLast(mark.count) }
            guard found.count <= limits.text else {
                throw error(.tooLarge, "a \(what) is longer than \(limits.text) bytes", at: place)
            }
        }
        throw error(.malformed, "a \(what) does not end", at: place)
    }
}
