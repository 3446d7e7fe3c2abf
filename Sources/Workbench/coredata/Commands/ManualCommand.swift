import CoreData
import CoreDataPrinting

/// `manual`: prints or writes pages for `man`, made from the same texts as `--help`.
struct ManualCommand: Command {
    let syntax = CommandSyntax(
        name: ["manual"], summary: "Prints the manual's page of a command, or writes all pages.",
        operands: [
            CommandOperand(
                name: "COMMAND", help: "The command's words; the page of the program without them.", isRepeated: true,
                isOptional: true)
        ],
        options: [
            Option("output", letter: "o", value: "FOLDER", help: "Writes all pages there, as files for a folder man1.")
        ],
        details: ["'coredata manual fetch | man -l -' shows a page."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard arguments["output"] != nil else {
            guard !arguments.operands.isEmpty else {
                return output.write(ManualPage(overviewOf: CommandList.syntaxes).text)
            }
            guard let command = CommandList.syntaxes.first(where: { $0.name == arguments.operands }) else {
                throw arguments.error(
                    "there is no command '\(arguments.operands.map(PlaceWord.shown).joined(separator: " "))'",
                    hint: CommandList.suggestion(for: arguments.operands)?.question)
            }
            return output.write(ManualPage(command).text)
        }
        let folder = try arguments.output()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pages = [ManualPage(overviewOf: CommandList.syntaxes)] + CommandList.syntaxes.map { ManualPage($0) }
        for page in pages {
            try AtomicFile.write(Data(page.text.utf8), to: folder.appendingPathComponent(page.fileName))
        }
    }
}
