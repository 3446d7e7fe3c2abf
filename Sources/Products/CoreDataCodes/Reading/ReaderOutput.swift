import Foundation

/// A code as `ZXingReader -escape` prints it: lines of a name, a colon and a value, an empty line after each code.
struct ReaderOutput {
    let format: String
    let bytes: Data
    let text: String?
    let corners: [CGPoint]

    /// The codes of an output.
    static func codes(_ output: String) -> [ReaderOutput] {
        output.components(separatedBy: "\n\n").compactMap { block in
            var lines: [String: String] = [:]
            for line in block.split(separator: "\n") {
                guard let colon = line.firstIndex(of: ":") else { continue }
                lines[String(line[..<colon])] = line[line.index(after: colon)...]
                    .trimmingCharacters(in: .whitespaces)
            }
            return ReaderOutput(lines)
        }
    }

    private init?(_ lines: [String: String]) {
        guard let format = lines["Format"], let hex = lines["Bytes"], lines["Error"] == nil,
            let bytes = Self.bytes(hex)
        else { return nil }
        self.format = format
        self.bytes = bytes
        corners = (lines["Position"] ?? "").split(separator: " ").compactMap { point in
            let numbers = point.split(separator: "x").compactMap { Double($0) }
            return numbers.count == 2 ? CGPoint(x: numbers[0], y: numbers[1]) : nil
        }
        let printed = lines["Text"].map { Self.unescaped($0.dropFirst().dropLast()) }
        // What the program takes for Shift JIS or Latin-1 without a declaration is UTF-8 if it can be; with a declared encoding
        // the program's text counts where the bytes are not UTF-8.
        text = String(data: bytes, encoding: .utf8) ?? printed
    }

    private static func bytes(_ hex: String) -> Data? {
        var bytes = Data()
        for word in hex.split(separator: " ") {
            guard word.utf8.count == 2, let byte = UInt8(word, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// The text of a printed one, in which characters that are not graphical stand as `<U+FC>`.
    private static func unescaped(_ text: Substring) -> String {
        var (plain, rest) = ("", text)
        while let match = rest.firstMatch(of: #/<U\+([0-9A-F]{2,6})>/#) {
            plain += rest[..<match.range.lowerBound]
            if let scalar = UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init) {
                plain.unicodeScalars.append(scalar)
            }
            rest = rest[match.range.upperBound...]
        }
        return plain + rest
    }
}
