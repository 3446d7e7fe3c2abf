import Foundation

/// The tags of one file, as `exiftool -X` writes them.
struct FileTags: Sendable {
    struct Tag: Sendable, Equatable {
        /// The group, such as `ID3v2_4`.
        let group: String
        let name: String
        /// Several if the file has a list.
        var values: [String]
    }

    var tags: [Tag] = []

    /// All values of the tags of a name, in the order of the file.
    func values(_ name: String) -> [String] { tags.filter { $0.name == name }.flatMap(\.values) }

    func first(_ name: String) -> String? { tags.first { $0.name == name }?.values.first }

    func value(_ group: String, _ name: String) -> String? {
        tags.first { $0.group == group && $0.name == name }?.values.first
    }
}

/// A reader of the XML form of `exiftool`, whose values are texts as they stand in the file.
///
/// It reads the form that the program writes, elements with texts or with bags of texts, and nothing else of XML. Whatever does not
/// have this form is left out.
struct ExifToolXML {
    private let bytes: [UInt8]
    private var offset = 0

    /// The tags by the text of `rdf:about`, which is the path that the program was given.
    static func read(_ data: Data) -> [String: FileTags] {
        var reader = ExifToolXML(bytes: [UInt8](data))
        return reader.files()
    }

    private enum Token {
        /// The start of an element, with the text between its name and its end.
        case start(name: String, attributes: String, isEmpty: Bool)
        case end(String)
        case text(String)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func files() -> [String: FileTags] {
        var files: [String: FileTags] = [:]
        var (path, tags) = ("", FileTags())
        while let token = next() {
            switch token {
            case .start("rdf:Description", let attributes, _):
                (path, tags) = (Self.attribute("rdf:about", of: attributes) ?? "", FileTags())
            case .end("rdf:Description"): files[path] = tags
            case .start(let name, let attributes, let isEmpty):
                guard let colon = name.firstIndex(of: ":"), !name.hasPrefix("rdf:"), !isEmpty else { continue }
                let values = values(of: name, isEncoded: attributes.contains("#base64Binary"))
                let (group, key) = (String(name[..<colon]), String(name[name.index(after: colon)...]))
                if !values.isEmpty { tags.tags.append(FileTags.Tag(group: group, name: key, values: values)) }
            default: continue
            }
        }
        return files
    }

    /// The text of an element, or the texts of its bag.
    private mutating func values(of name: String, isEncoded: Bool) -> [String] {
        var (values, text, isList) = ([String](), "", false)
        while let token = next() {
            switch token {
            case .text(let part): text += part
            case .start("rdf:li", let attributes, let isEmpty):
                (isList, text) = (true, "")
                if isEmpty { values.append(Self.decoded("", attributes.contains("#base64Binary"))) }
            case .end("rdf:li"):
                values.append(text)
                text = ""
            case .end(name): return isList ? values : [Self.decoded(text, isEncoded)]
            default: continue
            }
        }
        return []
    }

    /// A text that XML cannot have is written in Base64.
    private static func decoded(_ text: String, _ isEncoded: Bool) -> String {
        guard isEncoded, let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { return text }
        return String(decoding: data, as: UTF8.self)
    }

    private static func attribute(_ name: String, of attributes: String) -> String? {
        for quote in ["'", "\""] {
            guard let start = attributes.range(of: "\(name)=\(quote)") else { continue }
            guard let end = attributes.range(of: quote, range: start.upperBound..<attributes.endIndex) else { continue }
            return unescaped(String(attributes[start.upperBound..<end.lowerBound]))
        }
        return nil
    }

    private mutating func next() -> Token? {
        guard offset < bytes.count else { return nil }
        guard bytes[offset] == UInt8(ascii: "<") else {
            let end = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            defer { offset = end }
            return .text(Self.unescaped(String(decoding: bytes[offset..<end], as: UTF8.self)))
        }
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">")) else {
            offset = bytes.count
            return nil
        }
        let body = String(decoding: bytes[(offset + 1)..<end], as: UTF8.self)
        offset = end + 1
        if body.hasPrefix("/") { return .end(String(body.dropFirst())) }
        let name = body.prefix { !$0.isWhitespace && $0 != "/" }
        return .start(name: String(name), attributes: String(body.dropFirst(name.count)), isEmpty: body.hasSuffix("/"))
    }

    private static let entities = [
        "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var (result, rest) = ("", Substring(text))
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(10).firstIndex(of: ";") else { break }
            let name = rest[rest.index(after: start)..<end]
            result += entities[String(name)] ?? character(name) ?? "&\(name);"
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
