/// The user of a request, as the program that mounts the browser names the user.
public struct BrowserUser: Hashable, Sendable {
    /// The name; a store's persistent history records it as the transaction author.
    public let name: String

    /// Makes a user whom the program that mounts the browser has authenticated.
    public init(name: String) { self.name = name }
}
