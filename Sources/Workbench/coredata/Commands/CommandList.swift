import CoreData

/// All commands.
enum CommandList {
    /// The commands by their names; each is created only when it is needed, with its options and help.
    static let all: [(name: [String], make: @Sendable () -> any Command)] = [
        (["inspect"], { InspectCommand() }),
        (["fetch"], { FetchCommand() }),
        (["explain"], { ExplainCommand() }),
        (["sql"], { SQLCommand() }),
        (["chart"], { ChartCommand() }),
        (["map"], { MapCommand() }),
        (["kinds"], { KindsCommand() }),
        (["library", "scan"], { LibraryScanCommand() }),
        (["library", "list"], { LibraryListCommand() }),
        (["library", "playlists"], { LibraryPlaylistsCommand() }),
        (["library", "playlist"], { LibraryPlaylistCommand() }),
        (["library", "player"], { LibraryPlayerCommand() }),
        (["get"], { GetCommand() }),
        (["insert"], { InsertCommand() }),
        (["set"], { SetCommand() }),
        (["delete"], { DeleteCommand() }),
        (["browse"], { BrowseCommand() }),
        (["defaults"], { DefaultsCommand() }),
        (["export"], { ExportCommand() }),
        (["import"], { ImportCommand() }),
        (["subscribe"], { SubscribeCommand() }),
        (["subscriptions"], { SubscriptionsCommand() }),
        (["unsubscribe"], { UnsubscribeCommand() }),
        (["refresh"], { RefreshCommand() }),
        (["account", "add"], { AccountAddCommand() }),
        (["account", "list"], { AccountListCommand() }),
        (["account", "remove"], { AccountRemoveCommand() }),
        (["compare"], { CompareCommand() }),
        (["copy"], { CopyCommand() }),
        (["backup"], { BackupCommand() }),
        (["vacuum"], { VacuumCommand() }),
        (["reset"], { ResetCommand() }),
        (["plist"], { PlistCommand() }),
        (["history"], { HistoryCommand() }),
        (["sync", "init"], { SyncInitCommand() }),
        (["sync", "now"], { SyncNowCommand() }),
        (["sync", "run"], { SyncRunCommand() }),
        (["sync", "fetch"], { SyncFetchCommand() }),
        (["sync", "status"], { SyncStatusCommand() }),
        (["sync", "why"], { SyncWhyCommand() }),
        (["sync", "account"], { SyncAccountCommand() }),
        (["sync", "conflicts"], { SyncConflictsCommand() }),
        (["sync", "peers"], { SyncPeersCommand() }),
        (["sync", "forget"], { SyncForgetCommand() }),
        (["sync", "contents"], { SyncContentsCommand() }),
        (["sync", "compact"], { SyncCompactCommand() }),
        (["sync", "doctor"], { SyncDoctorCommand() }),
        (["sync", "serve"], { SyncServeCommand() }),
        (["sync", "admit"], { SyncAdmitCommand() }),
        (["sync", "pair"], { SyncPairCommand() }),
        (["migrate"], { MigrateCommand() }),
        (["check"], { CheckCommand() }),
        (["recover"], { RecoverCommand() }),
        (["instruments"], { InstrumentsCommand() }),
        (["model", "show"], { ModelShowCommand() }),
        (["model", "hash"], { ModelHashCommand() }),
        (["model", "check"], { ModelCheckCommand() }),
        (["model", "versions"], { ModelVersionsCommand() }),
        (["model", "diff"], { ModelDiffCommand() }),
        (["model", "test-migrations"], { ModelTestMigrationsCommand() }),
        (["model", "graph"], { ModelGraphCommand() }),
        (["model", "convert"], { ModelConvertCommand() }),
        (["model", "create"], { ModelCreateCommand() }),
        (["model", "options"], { ModelOptionsCommand() }),
        (["model", "add"], { ModelAddCommand() }),
        (["model", "set"], { ModelSetCommand() }),
        (["model", "rename"], { ModelRenameCommand() }),
        (["model", "move"], { ModelMoveCommand() }),
        (["model", "remove"], { ModelRemoveCommand() }),
        (["model", "copy"], { ModelCopyCommand() }),
        (["model", "paste"], { ModelPasteCommand() }),
        (["model", "edit"], { ModelEditCommand() }),
        (["compile"], { CompileCommand() }),
        (["generate"], { GenerateCommand() }),
        (["port"], { PortCommand() }),
        (["lint"], { LintCommand() }),
        (["strings"], { StringsCommand() }),
        (["init"], { InitCommand() }),
        (["doctor"], { DoctorCommand() }),
        (["manual"], { ManualCommand() }),
        (["completions"], { CompletionsCommand() }),
    ]

    /// Suggestions of commands that resemble the first words of a command line; if the first word is a group, commands
    /// of that group.
    ///
    /// The second words of commands are included, since users often take one for the complete name.
    static func suggestion(for words: [String]) -> NameSuggestion? {
        guard let first = words.first else { return nil }
        let members = all.map(\.name).filter { $0.count > 1 && $0[0] == first }
        guard members.isEmpty else {
            guard words.count > 1 else { return nil }
            return NameSuggestion(for: words[1], in: members.map { $0[1] })?.renamed { "\(first) \($0)" }
        }
        let longer = Dictionary(
            all.map(\.name).filter { $0.count > 1 }.map { ($0[1], $0.joined(separator: " ")) },
            uniquingKeysWith: { one, _ in one })
        let firsts = Set(all.map { $0.name[0] }).union(["help"])
        return NameSuggestion(for: first, in: firsts.union(longer.keys))?.renamed {
            firsts.contains($0) ? $0 : longer[$0] ?? $0
        }
    }

    /// The syntaxes of all commands, for the pages about them.
    static var syntaxes: [CommandSyntax] { all.map { $0.make().syntax } }
}
