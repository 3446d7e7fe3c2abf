import CoreDataPrinting
import Foundation

/// A subcommand: its syntax and its work.
protocol Command {
    var syntax: CommandSyntax { get }
    /// Does the work and prints its result.
    func run(_ arguments: Arguments, _ output: StandardOutput) throws
}
