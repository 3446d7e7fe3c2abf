import CoreData

/// Describes any error in one line for users, with the code that `coredata help` and `Docs/Errors.md` explain.
package enum ErrorText {
    /// What happened, why, and what helps; without line breaks, control characters or nested error dumps.
    package static func line(for error: any Error) -> String {
        switch error {
        case let error as InspectionError: return error.description
        case let error as any CustomStringConvertible where !(error is NSError):
            return PrintableText.escaped(error.description)
        default: return PrintableText.escaped(parts(of: error as NSError).joined(separator: " "))
        }
    }

    private static func parts(of error: NSError) -> [String] {
        var parts = [sentence(description(of: error))]
        let further =
            error.userInfo[NSLocalizedFailureReasonErrorKey] as? String
            ?? (error.userInfo[NSUnderlyingErrorKey] as? NSError).map(description)
        if let further, !parts[0].contains(further) { parts.append(sentence(further)) }
        if let hint = error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String {
            parts.append("(\(forCommandLine(hint)))")
        }
        if let entry = ErrorEntry.of(error) { parts.append(entry.reference) }
        return parts
    }

    /// The description of an error. If it has none of its own, the text of its POSIX code or the name and meaning of
    /// its code in the catalog, since Foundation would give only a number.
    static func description(of error: NSError) -> String {
        guard error.userInfo[NSLocalizedDescriptionKey] == nil else { return error.localizedDescription }
        if error.domain == NSPOSIXErrorDomain, let code = Int32(exactly: error.code) {
            return String(cString: strerror(code))
        }
        guard let entry = ErrorEntry.of(error) else { return error.localizedDescription }
        return [entry.name, entry.meaning].compactMap(\.self).joined(separator: ": ")
    }

    /// A hint in which the options of the command line replace what only code can set.
    package static func forCommandLine(_ hint: String) -> String {
        let options = [
            ("; try again, or raise NSPersistentStoreTimeoutOption", "; try again when it is done"),
            ("Open it with a model of your own", "give the model that it was made with: --model PATH"),
            ("Open it with the model that it was made with", "give the model that it was made with: --model PATH"),
        ]
        return options.reduce(hint) { $0.replacing($1.0, with: $1.1) }
    }

    private static func sentence(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard let last = line.last, !".!?:".contains(last) else { return line }
        return line + "."
    }
}
