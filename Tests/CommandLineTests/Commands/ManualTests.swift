import CoreData
import Testing

@Suite struct ManualTests {
    /// The commands, as the overview lists them: words in small letters at two spaces.
    private static func commands() throws -> [[String]] {
        let overview = try Tool.run("--help").output
        return overview.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .map { $0.split(separator: " ").prefix { $0.allSatisfy { $0.isLowercase || $0 == "-" } }.map(String.init) }
            .filter { !$0.isEmpty }
    }

    @Test("each command has a page for man, which says what its help says (TOOL-25)") func eachCommandHasPageForMan()
        throws
    {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try Tool.run("manual", "-o", folder.path).code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let commands = try Self.commands()
        #expect(commands.count > 40 && commands.contains(["model", "show"]))
        #expect(
            names == (["coredata.1"] + commands.map { "coredata-" + $0.joined(separator: "-") + ".1" }).sorted())
        for name in names {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            #expect(text.hasPrefix(".TH \"") && text.contains("\n.SH NAME\n"))
            // A line that begins with a point is a request of the formatter.
            let requests = text.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix { $0 != " " } }
            let known: Set<Substring> = [".TH", ".SH", ".PP", ".TP", ".B", ".I", ".BR"]
            #expect(Set(requests).isSubset(of: known), "\(name): \(Set(requests).subtracting(known))")
        }
        let page = try Tool.run("manual", "fetch").output
        #expect(page == (try String(contentsOf: folder.appendingPathComponent("coredata-fetch.1"), encoding: .utf8)))
        #expect(page.contains(".B \\-\\-where FORMAT\n"))
        #expect(try Tool.run("manual", "nothing").code == 2)
    }

    @Test(
        "man shows every page without a complaint (TOOL-25)", .enabled(if: Self.formatter != nil, "there is no groff"))
    func manShowsEveryPageWithoutComplaint() throws {
        let formatter = try #require(Self.formatter)
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try Tool.run("manual", "-o", folder.path)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let shown = try Tool.run(
                ["-man", "-Tutf8", "-ww", folder.appendingPathComponent(name).path], program: formatter)
            #expect(
                shown.code == 0 && shown.errors.isEmpty && shown.output.contains("User Commands"),
                "\(name): \(shown.errors)")
        }
    }

    private static let formatter = ["/usr/bin/groff"].filter { FileManager.default.isExecutableFile(atPath: $0) }
        .first.map { URL(fileURLWithPath: $0) }

    @Test("bash completes commands, words of groups, options, their values, and else files")
    func bashCompletesCommandsWordsOfGroups() throws {
        func completed(_ words: String...) throws -> [String] {
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            let script = """
                eval "$("$0" completions bash)"; COMP_WORDS=(coredata \(list)); COMP_CWORD=\(words.count)
                _coredata; printf '%s\\n' "${COMPREPLY[@]}"
                """
            let outcome = try Tool.run(["-c", script, Tool.url.path], program: URL(fileURLWithPath: "/bin/bash"))
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            return outcome.output.split(separator: "\n").map(String.init)
        }
        #expect(try completed("fe") == ["fetch"])
        let all = try Self.commands()
        #expect(Set(try completed("")) == Set(all.map { $0[0] } + ["--help", "--version"]))
        #expect(try completed("model", "sh") == ["show"])
        #expect(try completed("fetch", "A.sqlite", "Hero", "--wh") == ["--where"])
        #expect(try completed("model", "graph", "--delete") == ["--delete-rules"])
        #expect(try completed("model", "graph", "--attributes", "na") == ["names"])
        #expect(try completed("fetch", "A.sql").isEmpty, "files are the shell's own")
    }

    @Test("zsh and fish take what is made for them", arguments: ["zsh", "fish"]) func zshAndFishTakeWhatIsMadeForThem(
        shell: String
    ) throws {
        let script = try Tool.run("completions", shell)
        #expect(script.code == 0)
        for word in ["fetch", "test-migrations", "recover"] { #expect(script.output.contains(word)) }
        let program = URL(fileURLWithPath: "/usr/bin/" + shell)
        // Where the shell is there, it reads the script.
        guard FileManager.default.isExecutableFile(atPath: program.path) else { return }
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("script")
        try Data(script.output.utf8).write(to: file)
        let read = try Tool.run(["-n", file.path], program: program)
        #expect(read.code == 0 && read.errors.isEmpty, "\(read.errors)")
        guard shell == "fish" else { return }
        let asked =
            "source \(file.path); complete -C 'coredata model graph --attributes na'; complete -C 'coredata mod'"
        let completed = try Tool.run(["-c", asked], environment: ["HOME": folder.path], program: program)
        #expect(completed.output.contains("names") && completed.output.contains("model\tCommands about a model."))
        #expect(try Tool.run("completions", "csh").code == 2)
    }
}
