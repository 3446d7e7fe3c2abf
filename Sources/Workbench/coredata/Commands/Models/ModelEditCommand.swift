import CoreDataBrowserServer
import CoreDataModelEditing
import CoreDataPrinting
import Foundation

/// `model edit`: applies several edits to a model as one step, or serves a page to edit it.
struct ModelEditCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "edit"],
        summary: "Opens a page that edits a model, or applies several edits to its source, all or none.",
        operands: [
            CommandOperand(
                name: "MODEL",
                help: ModelEditing.operand.help + " The page also shows a .momd, a .mom or a store's model, to be read."
            ),
            CommandOperand(
                name: "EDIT", help: "An edit in quotes: the words of 'model add', 'set', 'rename', 'remove' or 'move'.",
                isRepeated: true, isOptional: true),
        ],
        options: [
            Option("file", value: "FILE", help: "Edits, one a line; - for standard input. Lines with # are left out."),
            Option("create", help: "Make an empty model where there is none, for the page."),
            Option(
                "classes", value: "FOLDER", help: "Where the page may write the classes that it generates."),
            Option(
                "code", value: "FOLDER",
                help: "Sources that 'generate' wrote, in which the page may rename too.", isRepeated: true),
            Option(
                "lists", value: "FOLDER",
                help: "An application of property lists, in which the page may rename too.",
                isRepeated: true),
            Option(
                "store", value: "STORE",
                help: "A store that the page shows too; its version is kept when others are pruned.",
                isRepeated: true),
            Option(
                "write", help: "Open these stores for writing."),
        ] + BrowserServing.options + ModelEditing.options,
        details: ModelEditing.details + [
            "Without EDIT and --file it serves a page at an address that it prints, on this machine only, until interrupted.",
            "An edit is written as 'add attribute Hero.age type=\"Integer 16\"', 'rename Hero.name title "
                + "--keep-identity' or 'remove Power --with-references'. On the way from one edit to the next the source "
                + "need not be a model.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard arguments.has("file") || arguments.operands.count > 1 else { return try serve(arguments, output) }
        guard !arguments.has("file") || arguments.operands.count == 1 else {
            throw arguments.error("either EDIT or --file FILE is given, not both")
        }
        try ModelEditing.run(arguments, output: output) {
            guard let path = arguments["file"] else {
                return try arguments.operands.dropFirst().map { try ModelEdit($0) }
            }
            return try ModelEdit.edits(in: String(decoding: InputFile.bytes(path), as: UTF8.self))
        }
    }

    /// Serves the page until the program is interrupted.
    private func serve(_ arguments: Arguments, _ output: StandardOutput) throws {
        if let option = ["dry-run", "version"].first(where: arguments.has) {
            throw arguments.error("--\(option) goes with edits")
        }
        let url = arguments.path(0)
        if arguments.has("create"), !FileManager.default.fileExists(atPath: url.path) {
            try ModelCreateCommand.create(at: url, version: nil, arguments)
        }
        func folders(_ option: String) -> [URL] { arguments.all(option).map { URL(fileURLWithPath: $0) } }
        let browser = Browser()
        try browser.openModel(
            url, isWriting: true, classFolder: folders("classes").first, codeFolders: folders("code"),
            listFolders: folders("lists"))
        for path in arguments.all("store") {
            try browser.open(URL(fileURLWithPath: path), isWriting: arguments.has("write"))
        }
        try BrowserServing(browser: browser, identifier: EditedModel.identifier(of: url)).run(arguments, output)
    }
}
