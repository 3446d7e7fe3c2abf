import CoreDataModelCompiler

/// The names that a source declares, extends, inherits from and imports, found without parsing: they decide whether the
/// source is parsed.
///
/// Words in comments and string literals count too, so a source may be parsed needlessly; none that matters is skipped.
struct SourceOutline {
    /// The names of types and aliases.
    private(set) var declared: Set<String> = []
    /// The names in the extended types.
    private(set) var extended: Set<String> = []
    /// The names after the colons of types and extensions, such as superclasses.
    private(set) var inherited: Set<String> = []
    private(set) var imports: Set<String> = []
    /// Whether the source has a name that begins with `NSManaged`, or a word of four or eleven letters that begins with
    /// `objc`, such as `objcMembers`.
    private(set) var isAboutManagedObjects = false

    private enum Expected { case nothing, declared, extended, imported, inherited }

    init(_ data: Data) {
        data.withUnsafeBytes { bytes in
            var expected = Expected.nothing
            var isDeclaring = false
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                guard Self.isName(byte) else {
                    // A colon after the name of a type begins its inherited types, which end at its members.
                    if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") { isDeclaring = false }
                    if byte == UInt8(ascii: ":"), isDeclaring { expected = .inherited }
                    index += 1
                    continue
                }
                let start = index
                while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
                let length = index - start
                if byte == UInt8(ascii: "N"), length >= 9, Self.isManaged(bytes, start) { isAboutManagedObjects = true }
                if byte == UInt8(ascii: "o"), length == 4 || length == 11, Self.isMark(bytes, start) {
                    isAboutManagedObjects = true
                }
                let keyword = Self.keyword(bytes, start: start, length: length)
                guard expected != .nothing, keyword == nil else {
                    if expected != .imported { expected = keyword ?? .nothing }
                    continue
                }
                isDeclaring = isDeclaring || expected == .declared
                insert(String(decoding: bytes[start..<index], as: UTF8.self), expected)
                if index >= bytes.count || bytes[index] != UInt8(ascii: ".") { expected = .nothing }
            }
        }
    }

    private mutating func insert(_ name: String, _ expected: Expected) {
        switch expected {
        case .declared: declared.insert(name)
        case .extended: extended.insert(name)
        case .imported: imports.insert(name)
        case .inherited: inherited.insert(name)
        case .nothing: break
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isManaged(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        String(decoding: bytes[start..<start + 9], as: UTF8.self) == "NSManaged"
    }

    /// Whether `objc` begins here.
    private static func isMark(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        String(decoding: bytes[start..<start + 4], as: UTF8.self) == "objc"
    }

    /// The kind of name that follows a keyword; nil for any other word.
    private static func keyword(_ bytes: UnsafeRawBufferPointer, start: Int, length: Int) -> Expected? {
        guard length >= 4, length <= 9 else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "p"),
            UInt8(ascii: "s"), UInt8(ascii: "t"):
            break
        default: return nil
        }
        switch String(decoding: bytes[start..<start + length], as: UTF8.self) {
        case "class", "struct", "enum", "actor", "protocol", "typealias": return .declared
        case "extension": return .extended
        case "import": return .imported
        default: return nil
        }
    }
}
