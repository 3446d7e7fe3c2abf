/// Who asks, in the words of the program that mounts the browser.
public struct BrowserUser: Hashable, Sendable {
    /// The name, which the history of changes keeps as their author.
    public let name: String

    /// Names a user whom the host has found out.
    public init(name: String) { self.name = name }
}
