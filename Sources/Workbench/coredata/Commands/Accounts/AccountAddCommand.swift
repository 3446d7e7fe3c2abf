import CoreDataAccounts
import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench
import Foundation

/// `account add`: authorizes an account with a provider and keeps its tokens.
struct AccountAddCommand: Command {
    let syntax = CommandSyntax(
        name: ["account", "add"], summary: "Authorizes an account with a provider of OAuth 2, and keeps its tokens.",
        operands: [.account],
        options: [
            Option(
                "provider", value: "FILE",
                help: "The provider: a property list with Name, TokenEndpoint, ClientID, Resources and others."),
            Option("device", help: "Show a code that is entered on another device, such as a telephone."),
            Option("paste", help: "Read from standard input the code, or the address, that the browser shows."),
        ],
        details: [
            "Without --device and --paste, the address that is printed is opened in a browser on this machine, which then comes "
                + "back to a port of it.",
            "Tokens lie in $XDG_STATE_HOME/opencoredata/accounts, in files that you alone can read. They go to the places that "
                + "the provider's key Resources names, and to no other. An account of the same name is replaced.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let name = arguments.operands[0]
        guard ToolAccounts.isValid(name) else {
            throw arguments.error("the name of an account has letters, digits and the signs . _ @ - alone")
        }
        guard let path = arguments["provider"] else { throw arguments.error("--provider FILE is missing") }
        guard !arguments.has("device") || !arguments.has("paste") else {
            throw arguments.error("--device and --paste contradict each other")
        }
        let accounts = try ToolAccounts()
        let (list, provider) = try Self.provider(path)
        let authorizer = AccountAuthorizer(provider)
        let tokens = try ToolAccounts.explained(provider.name, hint: nil) {
            if arguments.has("device") { return try Self.byDevice(authorizer) }
            return arguments.has("paste") ? try Self.byPasting(authorizer) : try Self.byBrowser(authorizer)
        }
        try accounts.add(name, tokens: tokens, provider: provider, list: list)
        output.line("added the account \(name)")
    }

    private static func provider(_ path: String) throws -> (Data, AccountProvider) {
        let file = URL(fileURLWithPath: path)
        let list: Data
        do { list = try Data(contentsOf: file) } catch {
            throw InspectionError(.unreadable, subject: path, cause: "the provider's property list cannot be read")
        }
        return (
            list,
            try ToolAccounts.explained(path, hint: nil) {
                let provider = try AccountProvider(propertyList: list)
                try provider.validate()
                return provider
            }
        )
    }

    private static func byBrowser(_ authorizer: AccountAuthorizer) throws -> AccountTokens {
        try ReadCancellation.waiting {
            try await authorizer.authorize { StandardError.write("Open \($0.absoluteString)") }
        }
    }

    private static func byPasting(_ authorizer: AccountAuthorizer) throws -> AccountTokens {
        let attempt = try authorizer.begin()
        StandardError.write("Open \(attempt.url.absoluteString)")
        StandardError.write(RunLanguage.text("Then paste the code here:"))
        guard let text = readLine() else {
            throw InspectionError(.badValue, subject: authorizer.provider.name, cause: "no code was pasted")
        }
        return try ReadCancellation.waiting { try await authorizer.finish(attempt, pasted: text) }
    }

    private static func byDevice(_ authorizer: AccountAuthorizer) throws -> AccountTokens {
        try ReadCancellation.waiting {
            let device = try await authorizer.deviceAuthorization()
            StandardError.write("Open \(device.verificationURL.absoluteString)")
            StandardError.write("Enter the code \(PrintableText.escaped(device.userCode))")
            return try await authorizer.tokens(for: device)
        }
    }
}

extension CommandOperand {
    static let account = CommandOperand(name: "NAME", help: "What the account is called.")
}
