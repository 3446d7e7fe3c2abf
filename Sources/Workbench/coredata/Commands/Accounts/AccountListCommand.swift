import CoreDataAccounts
import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench

/// `account list`: lists the accounts by which requests can be signed.
struct AccountListCommand: Command {
    let syntax = CommandSyntax(
        name: ["account", "list"], summary: "Lists the accounts with which 'import' and 'export' can sign requests.",
        operands: [],
        options: [.format([.table, .json])],
        details: ["json is an array of {\"name\", \"provider\", \"needsAuthorization\"}. No token is ever printed."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let store = try ToolAccounts().store
        let all = try ToolAccounts.explained(hint: nil) { try store.accounts(for: ToolAccounts.app) }
        if arguments.format == .json {
            return output.line(
                JSONWriter.lines(
                    .array(
                        all.map {
                            .object([
                                ("name", .string($0.identifier)), ("provider", .string($0.provider)),
                                ("needsAuthorization", .bool($0.needsAuthorization)),
                            ])
                        })))
        }
        guard !all.isEmpty else { return }
        var table = TextTable(["NAME", "PROVIDER", "STATE"].map { .init(title: $0) }, limit: Terminal.width)
        for one in all {
            let state = one.needsAuthorization ? RunLanguage.text("to be authorized again") : ""
            table.add([one.identifier, one.provider, state].map { PrintableText.escaped($0) }, to: output)
        }
        table.finish(output)
    }
}

/// `account remove`: forgets an account with its tokens.
struct AccountRemoveCommand: Command {
    let syntax = CommandSyntax(
        name: ["account", "remove"], summary: "Removes an account, and revokes its tokens where the provider can.",
        operands: [.account], options: [])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let (accounts, name) = (try ToolAccounts(), arguments.operands[0])
        if let provider = try Self.provider(of: name, accounts), provider.revocationEndpoint != nil {
            do {
                let tokens = try accounts.store.tokens(of: name, app: ToolAccounts.app)
                try ReadCancellation.waiting { try await AccountAuthorizer(provider).revoke(tokens) }
            } catch let error as AccountError {
                StandardError.write("\(Release.name): warning: \(PrintableText.escaped(error.reason, limit: 500))")
            }
        }
        try accounts.remove(name)
        output.line("removed the account \(name)")
    }

    /// The provider; nil, with a warning, if its file cannot be read: the account can be removed all the same.
    private static func provider(of name: String, _ accounts: ToolAccounts) throws -> AccountProvider? {
        do { return try accounts.provider(of: name) } catch let error as InspectionError where error.code == .unreadable
        {
            StandardError.write("\(Release.name): warning: \(PrintableText.escaped(error.cause, limit: 500))")
            return nil
        }
    }
}
