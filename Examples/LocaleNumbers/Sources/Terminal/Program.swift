import CoreDataLocalization
import Foundation

/// Prints a number, 1000.42 unless another is given as people of a locale type it.
@main
struct Program {
    static func main() {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            let locale = Locale(identifier: words.count > 1 ? words[1] : "en_US")
            let number = try NumberReader(locale: locale).decimal(words.first ?? "1000.42")
            for line in LocaleNumbers(number: number).lines() { print(line) }
        } catch {
            FileHandle.standardError.write(
                Data("localenumbers: \(error)\nusage: localenumbers [NUMBER [LOCALE]]\n".utf8))
            exit(1)
        }
    }
}
