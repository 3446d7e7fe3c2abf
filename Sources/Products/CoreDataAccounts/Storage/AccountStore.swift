import CoreDataTransfer
import Foundation
import LockKit

/// Where accounts with their tokens lie: in a file that its owner alone may read, or in what systemd hands over.
///
///     let store = try AccountStore(folder: AccountStore.stateFolder(of: "reader"))
///
/// The file `accounts.json` has mode 0600, in a folder of mode 0700, is replaced as a whole under a lock that all processes
/// respect, and is refused if others may read or change it. Each function reads what the file has now, so that several processes
/// may use it.
///
/// An app, named by an identifier of the program's choice, uses the accounts that it was granted. May be used from any thread.
public final class AccountStore: Sendable {
    private enum Place: Sendable {
        case folder(PrivateFolder)
        case credential
    }

    private static let (fileName, lockName) = ("accounts.json", "accounts.lock")

    private let place: Place
    /// What a credential of systemd has, with the changes since.
    private let loaded = Locked(AccountDocument())
    /// The refreshes that sessions of this store have under way.
    let refreshes = RefreshGate()

    /// Accounts in a folder of this user, which is made with the first account.
    public init(folder: URL) { place = .folder(PrivateFolder(url: folder.standardizedFileURL)) }

    /// Accounts that systemd hands over (`LoadCredentialEncrypted=NAME:FILE`): the file of a store as JSON. They are only read:
    /// what changes, such as refreshed tokens, is kept in memory. For a provider that gives a new refresh token with each
    /// refresh use a folder, since after a restart the one of the credential is no longer valid.
    ///
    /// - Parameter environment: where `CREDENTIALS_DIRECTORY` is looked up.
    /// - Throws: ``AccountError``: `unreadableStore`, `insecureFile` if everybody may read the file.
    public init(
        credential name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        place = .credential
        let document = try Self.credential(name, environment)
        loaded.withLock { $0 = document }
    }

    /// The folder for a program's accounts: `$XDG_STATE_HOME/NAME`, or `~/.local/state/NAME`.
    ///
    /// - Throws: ``AccountError`` with `unreadableStore` if the name is not that of a folder, or there is no home.
    public static func stateFolder(
        of program: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> URL {
        guard !program.isEmpty, !program.hasPrefix("."), !program.contains("/"), !program.contains("\0") else {
            throw AccountError(.unreadableStore, "'\(program)' is not the name of a folder")
        }
        // A path that is not absolute does not count (XDG Base Directory Specification).
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return URL(fileURLWithPath: state).appendingPathComponent(program)
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw AccountError(.unreadableStore, "neither XDG_STATE_HOME nor HOME names a folder")
        }
        return URL(fileURLWithPath: home).appendingPathComponent(".local/state").appendingPathComponent(program)
    }

    private static func credential(_ name: String, _ environment: [String: String]) throws -> AccountDocument {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
            throw AccountError(
                .unreadableStore, "systemd hands over no credentials: CREDENTIALS_DIRECTORY is not set")
        }
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
            throw AccountError(.unreadableStore, "'\(name)' is not the name of a credential")
        }
        let path = "\(folder)/\(name)"
        guard let file = Descriptor.opened(systemOpen(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) else {
            throw PrivateFolder.unreadable(path, errno)
        }
        // The service's right comes by an access list, whose mask is shown as the group's permissions.
        try file.checkIsPrivate(path, maskedBy: 0o007, isOwn: false)
        return try AccountDocument(file.readAll(path, limit: PrivateFolder.greatestSize), path: path)
    }

    // MARK: Reading and writing as a whole

    func read() throws -> AccountDocument {
        switch place {
        case .credential: return loaded.withLock { $0 }
        case .folder(let folder):
            guard let data = try folder.read(Self.fileName) else { return AccountDocument() }
            return try AccountDocument(data, path: folder.url.appendingPathComponent(Self.fileName).path)
        }
    }

    /// Changes what is stored, alone.
    func change<Result>(_ body: (inout AccountDocument) throws -> Result) throws -> Result {
        switch place {
        case .credential: return try loaded.withLock { try body(&$0) }
        case .folder(let folder):
            let lock = try folder.lock(Self.lockName)
            return try withExtendedLifetime(lock) {
                var document = try read()
                let result = try body(&document)
                try folder.write(document.data(), to: Self.fileName)
                return result
            }
        }
    }

    /// Waits until no other process refreshes the tokens of an account, at most two minutes, and keeps others from it as long
    /// as the result lives; nil for credentials, which processes do not share.
    func lockRefreshes(of account: String) async throws -> Descriptor? {
        guard case .folder(let folder) = place else { return nil }
        let digest = URLText.sha256(account) ?? []
        guard digest.count == 32 else {
            throw AccountError(.unwritableStore, "OpenSSL has no digest SHA-256, by which locks are named")
        }
        let name = "refresh-\(URLText.base64(Array(digest.prefix(16)))).lock"
        for _ in 0..<6_000 {
            if let lock = try folder.tryLock(name) { return lock }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw AccountError(
            .providerUnavailable(retryAfter: nil),
            "another process has refreshed the account \(account) for two minutes")
    }
}
