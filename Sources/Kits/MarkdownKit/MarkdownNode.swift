/// A part of a text in Markdown.
package indirect enum MarkdownNode: Sendable, Equatable {
    /// A part with others in it, and what is special of it.
    case element(Element, [MarkdownNode])
    case text(String)
    /// The end of a line that stays one.
    case lineBreak
    case rule

    package enum Element: Sendable, Equatable {
        case paragraph, quote, emphasis, strong, deleted, code
        case heading(level: Int)
        case list(start: Int?)
        /// An item of a list; of a task whether it is done.
        case item(isDone: Bool?)
        /// Lines of code, with the language that is named.
        case codeBlock(language: String)
        /// The address as it is written: who shows it decides which are opened.
        case link(address: String, title: String)
        case image(address: String, title: String)
        case table, row
        case cell(isHead: Bool)
    }
}
