import CoreDataFoundation

/// One limit that a model sets for an attribute's values, in the form the model states it.
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
        /// A predicate in the format language, evaluated on the value, that must hold.
        case predicate(format: String)
    }

    package var check: Check
    /// The error code that a violation is reported with, or a text of the model's author.
    package var warning: String?

    package init(_ check: Check, warning: String? = nil) {
        self.check = check
        self.warning = warning
    }
}
