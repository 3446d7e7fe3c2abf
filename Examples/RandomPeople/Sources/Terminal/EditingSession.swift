import CoreData

/// An editor's form in the terminal: a line of standard input is a command, or a field and what is typed into it.
@MainActor
struct EditingSession {
    let editor: PersonEditor

    /// Reads commands until the editor is left; the end of the input cancels.
    func run() {
        print(editor.title)
        show()
        while editor.isOpen {
            guard let line = readLine() else { return cancel() }
            do {
                try obey(line.trimmingCharacters(in: .whitespaces))
            } catch {
                print("! \(error)")
            }
        }
    }

    private func obey(_ line: String) throws {
        switch line {
        case "": break
        case "show": show()
        case "undo": step(editor.undoTitle, editor.undo)
        case "redo": step(editor.redoTitle, editor.redo)
        case "cancel": cancel()
        case "done":
            try editor.done()
            print("Saved")
        default: try set(line.split(separator: " ", maxSplits: 1).map(String.init))
        }
    }

    private func set(_ words: [String]) throws {
        guard let field = PersonField(rawValue: words[0]) else { throw Complaint("there is no field \(words[0])") }
        try editor.set(field, to: words.count > 1 ? words[1] : "")
    }

    private func step(_ title: String?, _ perform: () -> Void) {
        guard let title else { return print("Nothing to do") }
        perform()
        print(title)
        show()
    }

    private func cancel() {
        editor.cancel()
        print("Cancelled")
    }

    private func show() {
        for field in PersonField.allCases { print("    \(field.title): \(field.text(of: editor.person))") }
    }
}
