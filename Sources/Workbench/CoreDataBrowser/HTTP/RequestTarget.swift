import CoreData

/// The path and the query of a request, decoded once.
///
/// A percent-encoded slash is part of its step, so it never separates steps.
package struct RequestTarget: Equatable, Sendable {
    private static let greatestLength = 32_768

    /// The steps of the path without empty ones.
    package let steps: [String]
    /// The query's values by their names; of a repeated name, the last value.
    package let query: [String: String]

    /// The target without `.json` at the end of its last step, and whether that suffix was there.
    var withoutJSONSuffix: (RequestTarget, Bool) {
        guard let last = steps.last, last.hasSuffix(".json"), steps.first != "assets" else { return (self, false) }
        let name = String(last.dropLast(5))
        return (RequestTarget(steps: steps.dropLast() + (name.isEmpty ? [] : [name]), query: query), true)
    }

    /// The target relative to the path under which the browser is mounted.
    ///
    /// - Throws: `BrowserFailure` 404 for a target outside that path.
    func below(_ basePath: String) throws -> RequestTarget {
        let base = basePath.split(separator: "/").map(String.init)
        guard steps.starts(with: base) else { throw BrowserFailure.notFound }
        return RequestTarget(steps: Array(steps.dropFirst(base.count)), query: query)
    }

    private init(steps: [String], query: [String: String]) {
        self.steps = steps
        self.query = query
    }

    /// - Throws: `BrowserFailure` 400 for an invalid escape, for text that is not UTF-8, for NUL and for `.` and `..`;
    ///   414 for a target longer than 32,768 bytes.
    package init(_ text: String) throws {
        guard text.utf8.count <= Self.greatestLength else {
            throw BrowserFailure(414, code: "tooLong", reason: "the address has more than \(Self.greatestLength) bytes")
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix("/") else {
            throw BrowserFailure.badRequest("the path does not begin with '/'")
        }
        steps = try path.split(separator: "/").map { try Self.decoded($0, plusIsBlank: false) }
        guard !steps.contains(where: { $0 == "." || $0 == ".." }) else {
            throw BrowserFailure.badRequest("the path has a step '.' or '..'")
        }
        var query: [String: String] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[try Self.decoded(sides[0], plusIsBlank: true)] =
                try sides.count > 1 ? Self.decoded(sides[1], plusIsBlank: true) : ""
        }
        self.query = query
    }

    private static func decoded(_ text: Substring, plusIsBlank: Bool) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
                else { throw BrowserFailure.badRequest("'%' in the address is not followed by two hexadecimal digits") }
                rest = rest.dropFirst(2)
                bytes.append(value)
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { throw BrowserFailure.badRequest("the address has a NUL character") }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw BrowserFailure.badRequest("the address is not UTF-8")
        }
        return decoded
    }
}
