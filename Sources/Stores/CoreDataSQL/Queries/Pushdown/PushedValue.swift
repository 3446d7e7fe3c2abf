import CoreDataStore

/// A value that a database calculates exactly as memory does, and what it is there.
struct PushedValue {
    /// What a value is to the database.
    enum Kind {
        case integer
        /// What was calculated of integers, as a number of any digits; in memory a real where no integer holds it.
        case mixed
        case real
        /// Seconds; what is not a number sorts and compares otherwise than among reals.
        case date
        /// A number of any digits.
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
    /// Where the value may be another one than in memory.
    var doubt = SQLExpression.truth(false)

    /// Whether the value is everywhere what it is in memory.
    var isCertain: Bool { doubt == .truth(false) }

    /// The value, in doubt where something holds too.
    func doubted(where condition: SQLExpression) -> PushedValue {
        PushedValue(expression: expression, kind: kind, doubt: .disjunction([doubt, condition]))
    }

    /// A constant as a number of any digits; nil for a value that is not a number.
    ///
    /// A real stands for the shortest decimal that names it, as in `ExactNumber`.
    var digits: SQLExpression? {
        guard case .parameter(let parameter) = expression else { return kind == .decimal ? expression : nil }
        switch parameter {
        case .integer: return expression
        case .real(let real) where real.isFinite: return Self.digits("\(real)")
        case .text(let digits): return Self.digits(digits)
        case .real, .null, .blob: return nil
        }
    }

    /// Whether the value may be NaN in some rows; unlike that of a constant, which is the same in all rows.
    var mayBeNaN: Bool {
        if case .parameter = expression { false } else { kind == .decimal }
    }

    static func digits(_ text: String) -> SQLExpression {
        .call("pg_catalog.numeric", [.parameter(.text(text))])
    }
}
