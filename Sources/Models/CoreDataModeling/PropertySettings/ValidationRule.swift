import CoreDataFoundation

/// One validation rule of a property in the form of the model.
package struct ValidationRule: Hashable, Sendable {
    package enum Check: Hashable, Sendable {
        /// Numbers below it are refused.
        case minimum(Decimal)
        /// Numbers above it are refused.
        case maximum(Decimal)
        /// Dates before it are refused.
        case earliest(Date)
        /// Dates after it are refused.
        case latest(Date)
        /// Texts with fewer characters (UTF-16 units, as `length` counts) are refused.
        case minimumLength(Int)
        /// Texts with more characters (UTF-16 units, as `length` counts) are refused.
        case maximumLength(Int)
        /// Texts that the regular expression does not match completely are refused.
        case pattern(String)
        /// The value must satisfy a predicate, given as a format string.
        case predicate(format: String)
    }

    package var check: Check
    /// The text of the model's author for a violation, or an error code; nil for the default code.
    package var warning: String?

    package init(_ check: Check, warning: String? = nil) {
        self.check = check
        self.warning = warning
    }
}
