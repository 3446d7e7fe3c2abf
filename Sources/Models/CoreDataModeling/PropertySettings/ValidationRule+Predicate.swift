import CoreDataFoundation

extension ValidationRule {
    /// The rule as a predicate on the value; nil if the model's text does not parse.
    package var predicate: NSPredicate? {
        switch check {
        case .minimum(let limit): parsed("SELF >= %@", plain(limit))
        case .maximum(let limit): parsed("SELF <= %@", plain(limit))
        case .earliest(let limit): parsed("SELF >= %@", limit)
        case .latest(let limit): parsed("SELF <= %@", limit)
        case .minimumLength(let limit): parsed("length >= %@", NSNumber(value: limit))
        case .maximumLength(let limit): parsed("length <= %@", NSNumber(value: limit))
        case .pattern(let pattern): parsed("SELF MATCHES %@", pattern)
        case .predicate(let format): try? NSPredicate(parsing: format)
        }
    }

    private func parsed(_ format: String, _ limit: Any) -> NSPredicate? {
        try? NSPredicate(parsing: format, arguments: [limit])
    }

    /// The number as the simplest type that represents it exactly, so that it prints as the model's author wrote it.
    private func plain(_ number: Decimal) -> NSNumber {
        let exact = NSDecimalNumber(decimal: number)
        if let double = Double(exact.stringValue), "\(double)" == exact.stringValue { return NSNumber(value: double) }
        return Int64(exact.stringValue).map(NSNumber.init(value:)) ?? exact
    }

    /// The code, in the Cocoa error domain, of the error for a violation of the rule.
    package var errorCode: Int {
        switch check {
        case .minimum: NSValidationNumberTooSmallError
        case .maximum: NSValidationNumberTooLargeError
        case .earliest: NSValidationDateTooSoonError
        case .latest: NSValidationDateTooLateError
        case .minimumLength: NSValidationStringTooShortError
        case .maximumLength: NSValidationStringTooLongError
        case .pattern: NSValidationStringPatternMatchingError
        case .predicate: NSManagedObjectValidationError
        }
    }

    var warningOrCode: Any { warning ?? NSNumber(value: errorCode) }
}
