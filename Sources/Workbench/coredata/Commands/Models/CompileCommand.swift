import CoreDataExchange
import CoreDataModelCompiler
import CoreDataPrinting
import CoreDataWorkbench

/// `compile`: compiles a model's source to the form that applications load.
struct CompileCommand: Command {
    let syntax = CommandSyntax(
        name: ["compile"],
        summary: "Compiles all versions of a model into a .momd, or its current version into a .mom.",
        operands: [.model],
        options: [
            Option(
                "output", letter: "o", value: "PATH",
                help: "Where to write: OUT.momd or OUT.mom. A compiled model there is replaced."),
            .version,
        ],
        details: [
            "The .momd holds a .mom for each version and VersionInfo.plist.",
            "Errors and warnings are printed as FILE:LINE:COLUMN: error: TEXT. With an error in any version nothing is "
                + "written and the exit code is 1.",
            "The same model gives the same bytes: the layout of the editor, comments and the order of elements leave "
                + "no trace.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let target = try arguments.output()
        _ = try ModelForm(of: target, among: [.compiledPackage, .compiled])
        let compilation = ModelCompilation(of: arguments.path(0), version: arguments["version"])
        for diagnostic in compilation.diagnostics { StandardError.write("\(diagnostic)") }
        let errors = compilation.errors.count
        guard errors == 0 else {
            throw InspectionError(
                .unreadable, subject: compilation.url.path,
                cause: "\(errors) error\(errors == 1 ? "" : "s"), nothing is written")
        }
        try compilation.write(to: target)
    }
}

extension Option {
    static let version = Option(
        "version", value: "NAME",
        help: "The version that counts as the current one, instead of the one that the model names.")
}
