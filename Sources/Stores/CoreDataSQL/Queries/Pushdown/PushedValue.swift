import CoreDataStore

/// A value that a database computes exactly as memory does, and its kind there.
struct PushedValue {
    /// The type of a value in the database.
    enum Kind {
        case integer
        /// A result of integer arithmetic, as a number with any number of digits; in memory it is a real if it exceeds
        /// 64 bits.
        case mixed
        case real
        /// Seconds; NaN sorts and compares otherwise than among reals.
        case date
        /// A number with any number of digits.
        case decimal
        case text
        case bytes
        /// NULL, of any kind.
        case null

        init(_ type: ColumnType) {
            self =
                switch type {
                case .integer: .integer
                case .timestamp: .date
                case .float: .real
                case .decimal: .decimal
                case .varchar: .text
                case .blob: .bytes
                }
        }

        init(_ parameter: SQLParameter) {
            self =
                switch parameter {
                case .null: .null
                case .integer: .integer
                case .real: .real
                case .text: .text
                case .blob: .bytes
                }
        }
    }

    let expression: SQLExpression
    let kind: Kind
    /// The condition under which the value may differ from that in memory.
    var doubt = SQLExpression.truth(false)

    /// Whether the value is the same as in memory in all rows.
    var isCertain: Bool { doubt == .truth(false) }

    /// Returns the value, which is also in doubt where `condition` is true.
    func doubted(where condition: SQLExpression) -> PushedValue {
        PushedValue(expression: expression, kind: kind, doubt: .disjunction([doubt, condition]))
    }

    /// The value as a number with any number of digits; nil if it is neither a decimal nor a constant number.
    ///
    /// A real is replaced by the shortest decimal that identifies it, as in `ExactNumber`.
    var digits: SQLExpression? {
        guard case .parameter(let parameter) = expression else { return kind == .decimal ? expression : nil }
        switch parameter {
        case .integer: return expression
        case .real(let real) where real.isFinite: return Self.digits("\(real)")
        case .text(let digits): return Self.digits(digits)
        case .real, .null, .blob: return nil
        }
    }

    /// Whether the value may be NaN in some rows; false for constants, which are examined directly.
    var mayBeNaN: Bool {
        if case .parameter = expression { false } else { kind == .decimal }
    }

    static func digits(_ text: String) -> SQLExpression {
        .call("pg_catalog.numeric", [.parameter(.text(text))])
    }
}
