import CoreDataStore

/// Arithmetic with dates, which are stored as seconds.
enum DateCalculation {
    /// Returns a date plus or minus seconds, or the seconds between two dates; nil if no argument is a date.
    static func operand(_ function: ExpressionFunction, _ operands: [Operand]) throws -> Operand? {
        guard operands.contains(where: \.isDate) else { return nil }
        var seconds: [SQLExpression] = []
        for operand in operands {
            if case .constant(nil) = operand { return .constant(nil) }
            seconds.append(try Self.seconds(function, operand))
        }
        let isDate = operands.map(\.isDate)
        switch (function, isDate) {
        case (.add, [true, false]), (.add, [false, true]):
            return .scalar(.arithmetic(.add, seconds[0], seconds[1]), .date)
        case (.subtract, [true, false]): return .scalar(.arithmetic(.subtract, seconds[0], seconds[1]), .date)
        case (.subtract, [true, true]):
            // Columns store whole seconds as integers; adding a real makes later arithmetic with the difference real,
            // too.
            let difference = SQLExpression.arithmetic(.subtract, seconds[0], seconds[1])
            return .scalar(.arithmetic(.add, difference, .parameter(.real(0))), .number(.real))
        default: throw QueryError.unsuitable(function, operands[isDate[0] ? 0 : 1])
        }
    }

    /// Returns the number of the day of a date.
    static func day(of operand: Operand) throws -> Operand {
        switch operand {
        case .scalar(let value, .date): return .scalar(.day(of: value), .number(.whole))
        case .constant(let date as Date):
            return .constant(CalendarDay.number(of: date.timeIntervalSinceReferenceDate))
        case .constant(nil): return operand
        default: throw QueryError.unsuitable(.dayOfDate, operand)
        }
    }

    private static func seconds(_ function: ExpressionFunction, _ operand: Operand) throws -> SQLExpression {
        switch operand {
        case .scalar(let value, .date), .scalar(let value, .number(.whole)), .scalar(let value, .number(.mixed)),
            .scalar(let value, .number(.real)):
            return value
        // Adding 0 converts a decimal that is stored as text to the nearest real.
        case .scalar(let value, .number): return .arithmetic(.add, value, .parameter(.real(0)))
        case .constant(let date as Date): return .parameter(.real(date.timeIntervalSinceReferenceDate))
        case .constant(let value):
            guard let number = ExactNumber(value) else { break }
            return .parameter(.real(number.double))
        default: break
        }
        throw QueryError.unsuitable(function, operand)
    }
}

extension Operand {
    fileprivate var isDate: Bool {
        switch self {
        case .constant(is Date), .scalar(_, .date): true
        default: false
        }
    }
}
