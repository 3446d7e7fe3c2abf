import CoreDataPrinting
import Foundation

/// `completions`: prints a script that makes a shell complete commands, options and their values.
struct CompletionsCommand: Command {
    let syntax = CommandSyntax(
        name: ["completions"], summary: "Prints what makes a shell complete the commands and options.",
        operands: [CommandOperand(name: "SHELL", help: "bash, zsh or fish.")], options: [],
        details: [
            "For bash: 'coredata completions bash > ~/.local/share/bash-completion/completions/coredata'. For fish: "
                + "'coredata completions fish > ~/.config/fish/completions/coredata.fish'. For zsh: write it as '_coredata' to "
                + "a folder of fpath."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        switch arguments.operands[0] {
        case "bash": output.write(BashCompletion(CommandList.syntaxes).text)
        case "zsh": output.write(ZshCompletion(CommandList.syntaxes).text)
        case "fish": output.write(FishCompletion(CommandList.syntaxes).text)
        default: throw arguments.error("SHELL is bash, zsh or fish, not '\(arguments.operands[0])'")
        }
    }
}
