import CoreData
import CoreDataSyncing

/// How a browser behaves.
///
/// ```swift
/// import CoreDataBrowser
///
/// var options = BrowserOptions()
/// options.basePath = "/admin/data"
/// options.rules = BrowserRules { user, action, entity, attribute in
///     action != .delete || user?.name == "owner"
/// }
/// Browser(options: options).show(container.persistentStoreCoordinator, name: "Shop")
/// ```
public struct BrowserOptions: Sendable {
    /// The path under which the browser is mounted, without a slash at its end: `` or `/admin/data`.
    public var basePath = ""
    /// The folder of the front end's files; nil for the one beside the program.
    public var assets: URL?
    /// Where views, filters and unsaved edits are stored; nil for `$XDG_STATE_HOME/opencoredata`.
    public var stateFolder: URL?
    /// Where thumbnails of pictures are kept, which can be deleted at any time; nil for `thumbnails` in ``stateFolder``, and
    /// without one for `CoreData/Thumbnails` in the user's caches directory.
    public var thumbnailFolder: URL?
    /// What users may do; the rules apply to what pages show and to edits alike.
    public var rules = BrowserRules.everything
    /// What programs send as `Authorization: Bearer TOKEN` in place of a session; nil for none.
    public var token: String?
    /// The hosts, as URLs name them, from which the page may import although their addresses are of this machine or of a
    /// private network. Those of the public Internet are allowed always.
    public var importHosts: Set<String> = []
    /// Files of tiles in the form MBTiles that maps offer as background; one that cannot be read is not offered, and the page says why.
    public var tiles: [URL] = []
    /// The language of the page for users who chose none, as a tag such as `fr` or `de-CH`, or several with commas between
    /// them; nil for what their browsers ask for.
    public var language: String?
    /// Makes the transport of a store that takes part in sync from the address that the store keeps. Unless it is replaced, it knows
    /// folders; `coredata browse` knows hubs and sealed places too.
    public var syncTransport: @Sendable (String) throws -> any SyncTransport = { address in
        guard address.hasPrefix("/") else {
            throw SyncError(
                .transport, "This program does not exchange over '\(address)'.",
                cure: "Use 'coredata sync now', or give the browser's options a transport.")
        }
        return FolderTransport(URL(fileURLWithPath: address))
    }
    /// Makes the transport of a store whose peers are devices nearby, from the address of their group and the store's UUID: a
    /// `NearbyTransport` if devices are to be connected, one that only reads what is here otherwise. nil: this program connects none;
    /// `coredata browse` does.
    public var nearbyTransport:
        (@Sendable (_ address: String, _ store: String?, _ isConnecting: Bool) throws -> any SyncTransport)?
    /// Returns the current time; tests replace it.
    public var now: @Sendable () -> Date = { Date() }

    /// Makes options with the default values of the properties.
    public init() {}
}
