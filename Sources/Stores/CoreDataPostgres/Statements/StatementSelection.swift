import CoreDataSQL
import PostgresKit

/// Reads the result of a statement written by a person such that long values are truncated on the server.
struct StatementSelection {
    /// How a column's values are read.
    private enum Form {
        case integer
        case real
        case text
        case blob
    }

    private static let integers: Set<UInt32> = [20, 21, 23, 26]
    private static let reals: Set<UInt32> = [700, 701]
    /// `text`, `json`, `name` and `varchar`, whose binary form is the text.
    private static let texts: Set<UInt32> = [25, 114, 19, 1043]
    private static let readers: Set<String> = ["SELECT", "WITH", "VALUES", "TABLE"]

    private let forms: [Form]
    private let oids: [UInt32]
    private let sizes: (text: Int, blob: Int)

    init(_ columns: [StatementDescription.Column], _ sizes: (text: Int, blob: Int)) {
        oids = columns.map(\.oid)
        forms = oids.map { oid in
            if Self.integers.contains(oid) { return .integer }
            if Self.reals.contains(oid) { return .real }
            return oid == PostgresType.bytea ? .blob : .text
        }
        self.sizes = sizes
    }

    /// The approximate maximum number of bytes in a row.
    var rowSize: Int { forms.reduce(0) { $0 + ($1 == .text ? 4 * sizes.text : $1 == .blob ? sizes.blob : 8) + 16 } }

    /// Wraps a statement in one that truncates its values; nil for a statement that cannot be a sub-query, such as
    /// `EXPLAIN`.
    func query(around sql: String, limit: Int) -> String? {
        let word = sql.drop { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter }.uppercased()
        guard Self.readers.contains(word) else { return nil }
        let names = forms.indices.map { "c\($0)" }
        let selected = forms.enumerated().flatMap { index, form in
            switch form {
            case .integer: ["c\(index)::int8"]
            case .real: ["c\(index)::float8"]
            case .blob: ["substr(c\(index), 1, \(sizes.blob))", "octet_length(c\(index))::int8"]
            case .text: ["left(c\(index)::text, \(sizes.text + 1))", "octet_length(c\(index)::text)::int8"]
            }
        }
        var text = Substring(sql)
        while let last = text.last, last.isWhitespace || last == ";" { text = text.dropLast() }
        return "SELECT \(selected.joined(separator: ", ")) FROM (\n\(text)\n) AS q(\(names.joined(separator: ", "))) "
            + "LIMIT \(limit)"
    }

    /// Returns the values of a row of the wrapped statement.
    func values(_ result: PostgresResult, _ row: Int) -> [ReadCell] {
        var place = 0
        return forms.map { form in
            defer { place += form == .text || form == .blob ? 2 : 1 }
            guard !result.isNull(row, place) else { return .null }
            switch form {
            case .integer: return result.int64(row, place).map { .integer($0) } ?? .null
            case .real: return result.double(row, place).map { .real($0) } ?? .null
            case .text: return text(result.bytes(row, place), Int(result.int64(row, place + 1) ?? 0))
            case .blob:
                return .blob([UInt8](result.bytes(row, place)), bytes: Int(result.int64(row, place + 1) ?? 0))
            }
        }
    }

    private func text(_ bytes: UnsafeRawBufferPointer, _ size: Int) -> ReadCell {
        var end = min(bytes.count, sizes.text)
        // Does not cut a character.
        while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return .text(String(decoding: bytes[..<end], as: UTF8.self), bytes: size)
    }

    /// Passes the rows of a statement that cannot be a sub-query, as texts: a plan or a setting.
    func readWhole(_ result: PostgresResult, limit: Int, body: ([ReadCell]) -> Bool) throws {
        guard oids.allSatisfy(Self.texts.contains) else {
            throw StatementError(.refused, "only SELECT, WITH, VALUES, TABLE, EXPLAIN and SHOW are carried out")
        }
        for row in 0..<min(limit, result.rowCount) {
            let values = oids.indices.map { column -> ReadCell in
                let bytes = result.bytes(row, column)
                return result.isNull(row, column) ? .null : text(bytes, bytes.count)
            }
            guard body(values) else { return }
        }
    }
}
