import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync account`: shows, chooses or leaves the folder that the user's devices share.
struct SyncAccountCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "account"],
        summary: "Shows the account by which stores are synchronized through their options, signs in, or signs out.",
        operands: [
            CommandOperand(
                name: "FOLDER", help: "A folder that the user's devices share, to sign in.", isOptional: true)
        ],
        options: [
            Option("sign-out", help: "Ends the use of the account. Stores stay as they are."),
            .format([.table, .json]),
        ],
        details: [
            "The account counts for all programs of the user: for stores that are opened with 'NSPersistentStoreUbiquitousContentNameKey', and "
                + "for applications by property lists whose 'Application.plist' has 'sync'. The variable OPENCOREDATA_SYNC_FOLDER names a folder in its place.",
            "json is {\"folder\", \"identifier\"}, both null without an account.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let leaves = arguments.has("sign-out")
        if let folder = arguments.operands.first {
            guard !leaves else { throw arguments.error("a folder and --sign-out exclude each other") }
            try SyncAccount.signIn(URL(fileURLWithPath: folder, isDirectory: true))
        } else if leaves {
            try SyncAccount.signOut()
        }
        let folder = SyncAccount.folder?.path
        let identifier = SyncAccount.identifier
        guard arguments.format == .table else {
            let members = [("folder", folder), ("identifier", identifier)].map {
                ($0, $1.map(JSONValue.string) ?? .null)
            }
            return output.line(JSONWriter.line(.object(members)))
        }
        switch (folder, identifier) {
        case (nil, _): output.say("no account")
        case (let folder?, let identifier?): output.say("\(PrintableText.escaped(folder)) (\(identifier))")
        case (let folder?, nil): output.say("\(PrintableText.escaped(folder)) is no folder of an account, or not there")
        }
    }
}
