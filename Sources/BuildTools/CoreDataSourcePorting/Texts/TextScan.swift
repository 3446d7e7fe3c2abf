import SwiftSyntax

/// The texts for users in Swift sources, as `genstrings` finds them: calls of `NSLocalizedString`, `String(localized:)`,
/// `AttributedString(localized:)`, `LocalizedStringResource`, `LocalizedStringKey`, SwiftUI's `Text`, and `text(_:languages:)` of
/// `StringTables`. The clauses of every `#if` are read.
package struct TextScan: Sendable {
    /// The texts in the order of the sources.
    package private(set) var texts: [SourceText] = []
    /// Calls whose key is not a literal, keys with a guessed specifier, and sources that cannot be read.
    package private(set) var findings: [PortFinding] = []
    /// The number of Swift sources found.
    package let count: Int

    /// Reads the Swift sources at paths of files or folders, including nested folders.
    ///
    /// - Throws: `ModelingError` `.unreadable` for a path where there is nothing.
    package init(of paths: [String]) throws {
        let search = try SourceSearch(paths)
        self = try DeepStack.run { TextScan(search) }
    }

    private init(_ search: SourceSearch) {
        count = search.sources.count
        search.parse {
            add($0, file: $1)
        } refuse: {
            findings.append($0)
        }
    }

    private mutating func add(_ source: ParsedSource, file: String) {
        let places = SourceLocationConverter(fileName: file, tree: source.tree)
        SyntaxWalk.visitAll(source.tree) { node in
            guard let call = node.as(FunctionCallExprSyntax.self), let lookup = TextCall(call) else { return }
            let place = call.startLocation(converter: places, afterLeadingTrivia: true)
            func note(_ message: String) {
                findings.append(PortFinding(file: file, line: place.line, column: place.column, message: message))
            }
            guard let key = TextLiteral(lookup.key) else {
                // Text of SwiftUI and other initializers take variables that are no keys.
                if isCertain(call) { note("the key is not a literal: its text cannot be found in the source") }
                return
            }
            guard !key.text.isEmpty else { return }
            if key.isGuessed {
                note("the type of an interpolated value is not known: %@ stands for it in \"\(key.text)\"")
            }
            texts.append(
                SourceText(
                    key: key.text, text: lookup.text.flatMap(TextLiteral.init)?.text.nonEmpty,
                    comment: lookup.comment.flatMap(TextLiteral.init)?.text.nonEmpty,
                    table: lookup.table.flatMap(TextLiteral.init)?.text.nonEmpty, file: file, line: place.line,
                    column: place.column))
        }
    }

    private func isCertain(_ call: FunctionCallExprSyntax) -> Bool {
        call.calledExpression.trimmedDescription == "NSLocalizedString"
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
