import Foundation

/// One subcommand: what it takes, and what it does.
protocol Command {
    var syntax: CommandSyntax { get }
    /// Does the work and prints its result.
    func run(_ arguments: Arguments, _ output: StandardOutput) throws
}
