import CoreData

/// Describes the value that a validation rule refused, for the answer to the user who gave it.
///
/// Logs, traces and files that may be passed on contain only the error's description, which does not include the value.
package enum RefusedValue {
    /// `It has 12 characters: 'abc'.` or `The value is 10.`, with long texts cut. Nil if the error is not about a
    /// value, or if the program has its own text for the error, which may show the value.
    package static func sentence(_ error: NSError) -> String? {
        guard error.domain == NSCocoaErrorDomain, (1550...1699).contains(error.code),
            let value = error.userInfo[NSValidationValueErrorKey],
            error.localizedDescription != error.localizedFailureReason
        else { return nil }
        switch error.code {
        case NSValidationMissingMandatoryPropertyError, NSValidationRelationshipDeniedDeleteError: return nil
        case NSValidationRelationshipLacksMinimumCountError, NSValidationRelationshipExceedsMaximumCountError:
            return (value as? NSNumber).map { "It has \(RuleText.objects($0.intValue))." }
        case NSValidationStringTooLongError, NSValidationStringTooShortError:
            // The rule counts UTF-16 units, too.
            guard let text = value as? String else { break }
            return "It has \(RuleText.characters(text.utf16.count)): \(RuleText.text(of: text))."
        default: break
        }
        return "The value is \(RuleText.text(of: value))."
    }
}
