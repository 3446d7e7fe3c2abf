/// Who asks, in the words of the program that mounts the browser.
public struct BrowserUser: Hashable, Sendable {
    /// The name, which the history of changes keeps as their author.
    public let name: String

    public init(name: String) { self.name = name }
}
