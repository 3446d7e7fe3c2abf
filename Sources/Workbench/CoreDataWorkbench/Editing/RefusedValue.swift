import CoreData

/// The value that a rule of the model refused, for the answer to the person who gave it.
///
/// Logs, traces and files that are passed on get the error's description alone, which has no value in it.
package enum RefusedValue {
    /// `It has 12 characters: 'abc'.` or `The value is 10.`, with long texts cut; nil where the error is about no value, or
    /// where the program has a text of its own for it, which may show the value.
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
