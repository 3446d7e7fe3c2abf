import Foundation
import FoundationNetworking

/// The status line and header fields of a response, as they come line by line.
struct ResponseHead {
    private(set) var status = 0
    private(set) var version = "HTTP/1.1"
    /// The fields in their order.
    private(set) var fields: [(name: String, value: String)] = []
    /// Whether the blank line after the fields has come; what comes after that are trailers.
    private(set) var isComplete = false
    private var size = 0

    /// What all lines may take together.
    private static let greatestSize = 256 << 10

    /// Takes a line; false if it makes the head too large.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        size += bytes.count
        guard size <= Self.greatestSize else { return false }
        let line = Self.text(bytes)
        if line.hasPrefix("HTTP/"), isComplete || fields.isEmpty {
            begin(line)
        } else if isComplete {
            return true
        } else if line.isEmpty {
            isComplete = true
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields.append((String(line[..<colon]), value))
        }
        return true
    }

    /// Begins with the head of another response: one came before that was not the last, such as 100.
    private mutating func begin(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2)
        version = words.first.map(String.init) ?? version
        status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        fields = []
        isComplete = false
    }

    /// Whether another head follows.
    var isInterim: Bool { (100...199).contains(status) && status != 101 }

    /// The values of a field, whatever the case of its name.
    func values(_ name: String) -> [String] {
        fields.filter { $0.name.caseInsensitiveCompare(name) == .orderedSame }.map(\.value)
    }

    /// The response for Foundation: fields that come several times, or in different case, are joined by commas
    /// (RFC 9110, 5.3).
    func response(url: URL) -> HTTPURLResponse? {
        var names: [String: String] = [:]
        var joined: [String: String] = [:]
        for field in fields {
            let name = names[field.name.lowercased(), default: field.name]
            names[field.name.lowercased()] = name
            joined[name] = joined[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: joined)
    }

    /// Fields may have bytes that are not UTF-8; then each byte is a character of ISO 8859-1 (RFC 9110, 5.5).
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return text.trimmingCharacters(in: CharacterSet(charactersIn: "\r\n"))
    }
}
