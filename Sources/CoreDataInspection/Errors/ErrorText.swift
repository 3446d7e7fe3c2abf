import CoreData

/// Any error in one line for people.
package enum ErrorText {
    /// What happened, why, and what helps; without line breaks, control characters or nested dumps.
    package static func line(for error: any Error) -> String {
        switch error {
        case let error as InspectionError: return error.description
        case let error as any CustomStringConvertible where !(error is NSError):
            return PrintableText.escaped(error.description)
        default: return PrintableText.escaped(parts(of: error as NSError).joined(separator: " "))
        }
    }

    private static func parts(of error: NSError) -> [String] {
        var parts = [sentence(error.localizedDescription)]
        let further =
            error.userInfo[NSLocalizedFailureReasonErrorKey] as? String
            ?? (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription
        if let further, !parts[0].contains(further) { parts.append(sentence(further)) }
        if let hint = error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String { parts.append("(\(hint))") }
        return parts
    }

    private static func sentence(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard let last = line.last, !".!?:".contains(last) else { return line }
        return line + "."
    }
}
