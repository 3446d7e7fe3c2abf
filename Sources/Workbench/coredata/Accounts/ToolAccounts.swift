import CoreDataAccounts
import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench
import Foundation

/// The accounts by which the tool signs requests, and the providers that they are of.
///
/// Both lie in `$XDG_STATE_HOME/opencoredata/accounts`, a folder that its owner alone may read: the tokens in the file of an
/// `AccountStore`, and beside it for each account the property list of its provider.
struct ToolAccounts {
    /// As which app the tool uses accounts.
    static let app = "coredata"

    private let folder: URL
    let store: AccountStore

    /// - Throws: `InspectionError` where there is no home.
    init() throws {
        folder = try Self.explained(hint: nil) {
            try AccountStore.stateFolder(of: "opencoredata").appendingPathComponent("accounts")
        }
        store = AccountStore(folder: folder)
    }

    /// The account and its provider.
    ///
    /// - Throws: `InspectionError` if there is none of that name.
    func provider(of name: String) throws -> AccountProvider {
        let known = try Self.explained(hint: nil) { try store.accounts(for: Self.app).map(\.identifier) }
        guard known.contains(name) else {
            throw InspectionError(
                .noObject, subject: PrintableText.escaped(name, limit: 200), cause: "there is no such account",
                hint: NameSuggestion(for: name, in: known)?.question
                    ?? "'\(Release.name) account add' adds one, 'account list' lists all")
        }
        guard let list = try? Data(contentsOf: file(name)) else {
            throw InspectionError(
                .unreadable, subject: file(name).path, cause: "the account's provider cannot be read",
                hint: Self.addingAgain(name))
        }
        return try Self.explained(hint: Self.addingAgain(name)) { try AccountProvider(propertyList: list) }
    }

    /// Keeps an account with its tokens and its provider; one of the same name is replaced.
    func add(_ name: String, tokens: AccountTokens, provider: AccountProvider, list: Data) throws {
        try Self.explained(hint: nil) {
            let account = Account(identifier: name, name: name, provider: provider.name)
            try store.add(account, tokens: tokens, apps: [Self.app])
        }
        let new = file(name).appendingPathExtension("new")
        try? FileManager.default.removeItem(at: new)
        guard FileManager.default.createFile(atPath: new.path, contents: list, attributes: [.posixPermissions: 0o600]),
            rename(new.path, file(name).path) == 0
        else { throw InspectionError(.readOnly, subject: file(name).path, cause: "the provider cannot be written") }
    }

    func remove(_ name: String) throws {
        try Self.explained(hint: nil) { try store.remove(name) }
        try? FileManager.default.removeItem(at: file(name))
    }

    /// Whether a word can name an account: it is a part of a file's name.
    static func isValid(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "@"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    static func addingAgain(_ name: String) -> String { "'\(Release.name) account add \(name)' authorizes it again" }

    private func file(_ name: String) -> URL { folder.appendingPathComponent("provider-\(name).plist") }

    /// Runs what accounts throw for, with an error for people.
    static func explained<Value>(
        _ subject: String = "account", hint: String?, _ body: () throws -> Value
    ) throws -> Value {
        do { return try body() } catch let error as AccountError { throw inspection(error, subject, hint: hint) }
    }

    /// The error as one for people.
    static func inspection(_ error: AccountError, _ subject: String, hint: String?) -> InspectionError {
        var hint = hint
        if case .originNotAllowed = error.code {
            hint = "the key Resources of the provider's property list names the places"
        }
        var result = InspectionError(
            .unreadable, subject: subject, cause: PrintableText.escaped(error.reason, limit: 500), hint: hint)
        if case .providerUnavailable(let seconds) = error.code { (result.retryAfter, result.hint) = (seconds, nil) }
        return result
    }
}
