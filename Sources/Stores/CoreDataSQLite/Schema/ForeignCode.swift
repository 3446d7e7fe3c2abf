import SQLiteKit

/// Detects code in a table's definition that SQLite would run when rows are written: code of the file, not of this
/// library.
///
/// A default that is a number, a text or NULL, as in `ALTER TABLE … ADD COLUMN … DEFAULT …`, is not code.
enum ForeignCode {
    /// Returns why a table must not be written to, as a sentence; nil if its definition contains no code.
    static func reason(_ table: Catalog.Table) -> String? {
        let end = "so the store is opened read-only."
        if let column = table.columns.first(where: \.isGenerated) {
            return "The table \(table.name) computes its column \(column.name), \(end)"
        }
        if words(of: table.sql).contains("CHECK") { return "The table \(table.name) checks values, \(end)" }
        let computed = table.columns.first { $0.defaultText.map { !isLiteral($0) } ?? false }
        guard let computed else { return nil }
        return "The default of the column \(computed.name) of the table \(table.name) is computed, \(end)"
    }

    /// Whether the text of a default is a literal.
    private static func isLiteral(_ text: String) -> Bool {
        var text = text[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        // A blob literal is a text with an x before it.
        if text.first == "x" || text.first == "X", text.dropFirst().first == "'" { text.removeFirst() }
        if let quote = text.first, quote == "'" || quote == "\"" {
            return !text.dropFirst().dropLast().replacing("\(quote)\(quote)", with: "").contains(quote)
                && text.count > 1 && text.last == quote
        }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-._ ".contains($0)) }
    }

    /// Returns the words of a statement in upper case, without quoted texts and comments.
    private static func words(of statement: String) -> Set<String> {
        var words = Set<String>()
        var word = ""
        let bytes = Array(statement.utf8) + [0x20]
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if let end = endOfQuoted(bytes, place) {
                place = end
            } else if byte >= 0x80 || byte == 0x5F || isAlphanumeric(byte) {
                word.unicodeScalars.append(Unicode.Scalar(byte < 0x80 ? byte : 0x5F))
                place += 1
                continue
            } else {
                place += 1
            }
            if !word.isEmpty { words.insert(word.uppercased()) }
            word = ""
        }
        return words
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
    }

    /// Returns the end of a quoted text or comment that begins at a position; nil if none begins there.
    private static func endOfQuoted(_ bytes: [UInt8], _ start: Int) -> Int? {
        let next = start + 1 < bytes.count ? bytes[start + 1] : 0
        let closing: [UInt8]
        switch (bytes[start], next) {
        case (0x27, _), (0x22, _), (0x60, _): closing = [bytes[start]]
        case (0x5B, _): closing = [0x5D]
        case (0x2D, 0x2D): closing = [0x0A]
        case (0x2F, 0x2A): closing = [0x2A, 0x2F]
        default: return nil
        }
        var place = start + (closing.count == 2 ? 2 : 1)
        while place + closing.count <= bytes.count {
            if bytes[place] == closing[0], closing.count == 1 || bytes[place + 1] == closing[1] {
                return place + closing.count
            }
            place += 1
        }
        return bytes.count
    }
}
