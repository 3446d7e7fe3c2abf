import CoreData
import SQLiteKit

/// Runs SQL statements on a server's store. The store's `StatementReading` and the server limit what statements may do.
final class ServerConsole: SQLConsole {
    private let reading: any StatementReading
    private let model: NSManagedObjectModel?
    private let configuration: String?
    private var known: SQLNames?

    init(_ reading: any StatementReading, model: NSManagedObjectModel?, configuration: String?) {
        self.reading = reading
        self.model = model
        self.configuration = configuration
    }

    func names() throws -> SQLNames {
        if let known { return known }
        let tables = try reading.tables()
        let schema = model.map { StoreSchema(model: $0, configuration: configuration) }
        let names = SQLNames(tables, schema: schema, functions: [])
        known = names
        return names
    }

    func parameters(of sql: String) throws -> [String] {
        try explaining(sql) {
            let shape = try reading.shape(of: sql)
            guard !shape.columns.isEmpty else { throw StatementError(.refused, "the statement gives no rows") }
            return Self.names(shape.parameterCount)
        }
    }

    private static func names(_ count: Int) -> [String] { (0..<count).map { "$\($0 + 1)" } }

    func answer(_ question: SQLQuery) throws -> SQLAnswer {
        let names = try names()
        var answer: SQLAnswer?
        let ended: Void? = try ReadCancellation.limited(to: question.time) {
            guard let cancellation = ReadCancellation.current else { return }
            try cancellation.reading(with: reading.interruption) {
                try explaining(question.sql) {
                    let shape = try reading.shape(of: question.sql)
                    let parameters = try texts(question, Self.names(shape.parameterCount))
                    var found = SQLAnswer(
                        sql: question.sql, parameters: parameters.map { ($0.name, $0.text) },
                        columns: Self.columns(shape, names))
                    defer { answer = found }
                    try fill(&found, question: question, values: parameters.map(\.value))
                }
            }
        }
        if ended == nil { answer?.stop = .time }
        guard let answer else {
            throw SQLConsoleError(.badSQL, "the server did not read the statement in time", in: question.sql)
        }
        return answer
    }

    private func fill(_ answer: inout SQLAnswer, question: SQLQuery, values: [String?]) throws {
        var size = 0
        do {
            try reading.read(
                question.sql, values: values, limit: question.limit + 1,
                sizes: (SQLCell.mostOfText, SQLCell.mostOfBlob),
                time: question.time
            ) { values in
                guard answer.rows.count < question.limit else {
                    answer.stop = .rows
                    return false
                }
                let row = values.map { SQLCell($0) }
                size += row.reduce(0) { $0 + $1.size }
                guard size <= SQLQuery.mostBytes else {
                    answer.stop = .size
                    return false
                }
                answer.rows.append(row)
                return true
            }
        } catch let error as StatementError where error.code == .timeout {
            answer.stop = .time
        }
    }

    private static func columns(_ shape: StatementShape, _ names: SQLNames) -> [SQLAnswer.Column] {
        shape.columns.map { column in
            SQLAnswer.Column(
                name: column.name, table: column.origin?.table, column: column.origin?.column,
                meaning: column.origin.flatMap { names.meaning($0.table, $0.column) })
        }
    }

    /// The parameters with the given texts and with the values in the server's text format; nil for NULL.
    private func texts(
        _ question: SQLQuery, _ names: [String]
    ) throws -> [(name: String, text: String, value: String?)] {
        try names.map { name in
            let text = try question.requiredText(for: name)
            switch try SQLParameterValue.required(text, for: name) {
            case .null: return (name, text, nil)
            case .integer(let number): return (name, text, "\(number)")
            case .real(let number): return (name, text, "\(number)")
            case .text(let value): return (name, text, value)
            case .blob(let bytes): return (name, text, "\\x" + SQLCell.hex(bytes))
            }
        }
    }

    private func explaining<Result>(_ sql: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StatementError where error.code != .timeout {
            throw SQLConsoleError(error, in: sql)
        }
    }
}

extension SQLConsoleError {
    init(_ error: StatementError, in sql: String) {
        let code: Code =
            switch error.code {
            case .bad, .timeout: .badSQL
            case .refused: .refusedSQL
            case .off: .consoleOff
            }
        let onlyReads = error.code == .refused ? SQLiteConsole.onlyReads : nil
        self.init(code, error.reason, hint: error.hint ?? onlyReads, in: sql, at: error.offset)
    }
}

extension SQLCell {
    fileprivate init(_ value: ReadCell) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text, let bytes): self = bytes > text.utf8.count ? .cutText(text, bytes: bytes) : .text(text)
        case .blob(let shown, let bytes): self = .blob(shown, bytes: bytes)
        }
    }
}
