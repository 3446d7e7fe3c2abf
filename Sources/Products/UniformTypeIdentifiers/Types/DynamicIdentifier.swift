/// The identifier of a type that no declaration has, made of a tag: the same tag gives the same identifier in every process.
///
/// As Apple's system writes them: `dyn.a`, then in 32 letters and digits, five bits each, a text such as `?0=6:1=gpx`. Its members are a
/// key, `=` and a value; 0 is what the type conforms to, 1 an extension, 3 a media type. Frequent values are numbers: 6 is
/// `public.data`, 7 `public.item`; other values are written out.
struct DynamicIdentifier {
    static let prefix = "dyn.a"
    private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)
    private static let longest = 1_000

    let identifier: String
    let tags: [UTTagClass: [String]]
    let parents: [String]

    /// The identifier for a tag; nil for a class of tags that Apple's form has no key for.
    init?(tag: String, tagClass: UTTagClass, parent: String) {
        let key: String
        switch tagClass {
        case .filenameExtension: key = "1"
        case .mimeType: key = "3"
        default: return nil
        }
        let conformance: String
        switch parent {
        case "public.data": conformance = "6"
        case "public.item": conformance = "7"
        default: conformance = Self.escaped(parent)
        }
        identifier = Self.prefix + Self.encoded("?0=\(conformance):\(key)=\(Self.escaped(tag))")
        tags = [tagClass: [tag]]
        parents = [parent]
    }

    /// Reads an identifier; nil for one that is not of the form.
    init?(_ identifier: String) {
        guard identifier.hasPrefix(Self.prefix), identifier.utf8.count <= Self.longest,
            let text = Self.decoded(identifier.dropFirst(Self.prefix.count)), text.hasPrefix("?")
        else { return nil }
        var tags: [UTTagClass: [String]] = [:]
        var parents: [String] = []
        for member in Self.split(text.dropFirst(), at: ":") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            for value in Self.split(parts[1], at: ",").map(Self.plain) {
                switch parts[0] {
                case "0": parents.append(value == "6" ? "public.data" : value == "7" ? "public.item" : value)
                case "1": tags[.filenameExtension, default: []].append(value)
                case "3": tags[.mimeType, default: []].append(value)
                default: continue
                }
            }
        }
        guard !tags.isEmpty else { return nil }
        (self.identifier, self.tags, self.parents) = (identifier, tags, parents.isEmpty ? ["public.data"] : parents)
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, letter in
            if "\\:=,?".contains(letter) { text.append("\\") }
            text.append(letter)
        }
    }

    private static func plain(_ value: Substring) -> String {
        var (text, isEscaped) = ("", false)
        for letter in value {
            if letter == "\\", !isEscaped {
                isEscaped = true
            } else {
                text.append(letter)
                isEscaped = false
            }
        }
        return text
    }

    /// Parts between separators that no backslash stands before.
    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        var (parts, start, isEscaped): ([Substring], Substring.Index, Bool) = ([], text.startIndex, false)
        for place in text.indices {
            if !isEscaped, text[place] == separator {
                parts.append(text[start..<place])
                start = text.index(after: place)
            }
            isEscaped = !isEscaped && text[place] == "\\"
        }
        return parts + [text[start...]]
    }

    private static func encoded(_ text: String) -> String {
        var (letters, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in text.utf8 {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                letters.append(alphabet[Int(bits >> count & 31)])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { letters.append(alphabet[Int(bits << (5 - count) & 31)]) }
        return String(decoding: letters, as: UTF8.self)
    }

    private static func decoded(_ letters: Substring) -> String? {
        var (bytes, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for letter in letters.utf8 {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            bits = bits << 5 | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 255))
            }
            bits &= (1 << count) - 1
        }
        guard bits == 0 else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
