import CoreDataGraph

/// A mailbox: an address, and the name of who reads it.
public struct MailAddress: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name for people; nil for an address alone.
    public let name: String?
    /// The address, `local@domain`.
    public let address: String

    /// An address that was checked.
    ///
    /// - Parameters:
    ///   - name: In any script; without line breaks and other control characters.
    ///   - address: `local@domain` in ASCII, no longer than 254 bytes. Domains in other scripts are written with `xn--`.
    /// - Throws: ``MailError`` with `invalidMessage`, which names the part that is wrong.
    public init(name: String? = nil, address: String) throws {
        try Self.check(address)
        if let name { try FieldText.check(name, of: "the name of \(address)") }
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
        self.address = address
    }

    /// Reads `address`, `<address>`, `Name <address>` or `"Name" <address>`.
    ///
    /// - Throws: ``MailError`` with `invalidMessage`.
    public init(_ text: String) throws {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard trimmed.hasSuffix(">"), let start = trimmed.lastIndex(of: "<") else {
            try self.init(address: trimmed)
            return
        }
        var name = trimmed[..<start].trimmingCharacters(in: .whitespaces)
        if name.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") {
            name = Self.unquoted(name.dropFirst().dropLast())
        }
        try self.init(name: name, address: String(trimmed[trimmed.index(after: start)...].dropLast()))
    }

    /// The name and the address, as people write them.
    public var description: String { name.map { "\($0) <\(address)>" } ?? address }

    private static func unquoted(_ text: Substring) -> String {
        var (plain, isEscaped) = ("", false)
        for letter in text {
            if letter == "\\", !isEscaped {
                isEscaped = true
            } else {
                plain.append(letter)
                isEscaped = false
            }
        }
        return plain
    }

    /// RFC 5321, 4.1.2, without quoted local parts, which few servers take.
    static func check(_ address: String) throws {
        func refuse(_ reason: String, _ hint: String) -> MailError {
            MailError(.invalidMessage, "'\(FieldText.shown(address))' is no mail address: \(reason)", hint: hint)
        }
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw refuse("it has a space or a control character", "write local@domain, without anything around it")
        }
        guard address.utf8.allSatisfy({ $0 < 0x7F }) else {
            throw refuse(
                "it has letters that are not ASCII",
                "write the domain with xn--, and use an address whose first part is ASCII")
        }
        guard let at = address.lastIndex(of: "@"), at != address.startIndex, address.utf8.count <= 254 else {
            throw refuse("it is not local@domain of at most 254 bytes", "write it as in name@example.com")
        }
        let (local, domain) = (address[..<at], address[address.index(after: at)...])
        let isLocal = local.utf8.count <= 64 && isDotted(local, allowing: "!#$%&'*+-/=?^_`{|}~")
        let isLiteral =
            domain.hasPrefix("[") && domain.hasSuffix("]") && domain.utf8.count > 3
            && domain.dropFirst().dropLast().allSatisfy { $0.isHexDigit || ".:IPv".contains($0) }
        guard isLocal, isLiteral || isDotted(domain, allowing: "-") else {
            throw refuse("it has a character, or a dot, that no address has there", "write it as in name@example.com")
        }
    }

    /// Words of letters and digits with dots between them.
    private static func isDotted(_ text: Substring, allowing others: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) }
        }
    }
}
