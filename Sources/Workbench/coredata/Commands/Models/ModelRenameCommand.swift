import CoreData
import CoreDataBrowserServer
import CoreDataModelEditing
import CoreDataPrinting

/// `model rename`: renames an item of a model.
struct ModelRenameCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "rename"],
        summary: "Renames an item in a model's source, and follows wherever others name it.",
        operands: [
            ModelEditing.operand, ModelEditing.item, CommandOperand(name: "NAME", help: "The name that it is to have."),
        ],
        options: [
            Option(
                "keep-identity",
                help: "Makes the old name the renaming identifier, so that stores of the version before can follow."),
            Option(
                "code", value: "FOLDER",
                help: "Sources that 'generate' wrote, of which the properties are rewritten.",
                isRepeated: true),
            Option(
                "lists", value: "FOLDER",
                help: "An application of property lists, which follows an entity or a property.",
                isRepeated: true),
        ] + ModelEditing.options,
        details: ModelEditing.details + [
            "Parents, destinations, inverses, configurations, indexes and constraints follow, and so do the keys in "
                + "predicates, derivations and expressions; a line is printed for each of these texts.",
            "With --code and --lists all files are written or none; look at them with --dry-run first. Sources that were "
                + "written by hand are left, and their lines with the old name are listed.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try ModelEditing.run(arguments, output: output, following: follow) {
            [
                .rename(
                    try SourceItem(arguments.operands[1]), to: arguments.operands[2],
                    keepsIdentity: arguments.has("keep-identity"))
            ]
        }
    }

    /// The changes of the other files that contain the item's name.
    private func follow(
        _ arguments: Arguments, before: ModelDocument, after: ModelDocument
    ) throws -> (changes: [FileChange], notes: [String]) {
        guard arguments.has("code") || arguments.has("lists") else { return ([], []) }
        let item = try SourceItem(arguments.operands[1])
        guard FollowingFolders.follow(item) else {
            throw arguments.error("--code and --lists follow an entity or a property")
        }
        func folders(_ option: String) -> [URL] { arguments.all(option).map { URL(fileURLWithPath: $0) } }
        let following = FollowingFolders(code: folders("code"), lists: folders("lists"))
        var isFolder: ObjCBool = false
        for folder in following.code
        where !FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) || !isFolder.boolValue {
            throw arguments.error(
                "--code: there is no folder '\(folder.relativePath)'", hint: "the model was not changed")
        }
        return try following.renaming(item, to: arguments.operands[2], from: before, to: after)
    }
}
