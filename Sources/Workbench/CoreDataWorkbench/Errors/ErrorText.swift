import CoreData

/// Any error in one line for people, with the code under which `coredata help` and `Docs/Errors.md` have more.
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

    /// What an error says of itself; of one that says nothing the name of its code, where Foundation gives the number alone.
    static func description(of error: NSError) -> String {
        guard error.userInfo[NSLocalizedDescriptionKey] == nil else { return error.localizedDescription }
        if error.domain == NSPOSIXErrorDomain, let code = Int32(exactly: error.code) {
            return String(cString: strerror(code))
        }
        guard let entry = ErrorEntry.of(error) else { return error.localizedDescription }
        return [entry.name, entry.meaning].compactMap(\.self).joined(separator: ": ")
    }

    /// What helps, with the options of the command line in place of what only code can give.
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
