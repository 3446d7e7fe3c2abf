@testable import CoreDataWorkbench

/// The page of errors as it follows from the catalogue: write it with `OPENCOREDATA_WRITE_PAGES=1` after a change.
enum ErrorPage {
    static var text: String { head + index + subjects + tail }

    private static let head = """
        # Errors

        What each code means, what it comes of, and what cures it.

        Errors of the library are `NSError`s of `NSCocoaErrorDomain`, with Apple's codes. The description says what failed and where,
        the failure reason why, the recovery suggestion what helps; what is beneath is under `NSUnderlyingErrorKey`, and of several under
        `NSDetailedErrorsKey`. No text has the value of an attribute, but for those of validation, and none has a password.

        Messages of the tool end with the code, `[134100]`: `coredata help 134100` prints what stands here.

        In a program take the constant, or the pattern of `CocoaError`, which is its name without `NS` and `Error`:

        ```swift
        func save(_ context: NSManagedObjectContext) throws {
            do {
                try context.save()
            } catch CocoaError.managedObjectMerge {
                context.rollback()
                context.refreshAllObjects()
            } catch let error as NSError where error.code == NSValidationMultipleErrorsError {
                print(error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [])
            }
        }
        ```

        The page is written from the library's own list: run the test `ErrorPageTests` with `OPENCOREDATA_WRITE_PAGES=1` after a change.


        """

    private static var index: String {
        let lines = ErrorCatalog.subjects.flatMap(\.entries).map { entry in
            "| [\(entry.code)](#\(entry.code)) | \(entry.name.map { "`\($0)`" } ?? "") | \(entry.meaning) |\n"
        }
        return "| code | name | |\n|--:|---|---|\n" + lines.joined() + "\n"
    }

    private static var subjects: String {
        ErrorCatalog.subjects.map { "## \($0.title)\n\n" + $0.entries.map(section).joined() }.joined()
    }

    private static func section(_ entry: ErrorEntry) -> String {
        let name = entry.name.map { "`\($0)`. " } ?? "Without a constant, as Apple's. "
        let causes = entry.causes.map { "- \($0)\n" }.joined()
        let cures = entry.cures.map { "- \($0)\n" }.joined()
        return """
            ### \(entry.code)

            \(name)\(entry.meaning)

            **Causes**

            \(causes)
            **Cures**

            \(cures)

            """
    }

    private static let tail = """
        ## Errors beneath

        | domain | code | what |
        |---|---|---|
        | `NSSQLiteErrorDomain` | SQLite's extended code | what SQLite said, under `NSUnderlyingErrorKey` of 134180 and others, and as a number in their user info |
        | `PostgreSQL` | 0; 1 for what was cancelled | what the server said; `SQLSTATE` in the user info is its own code |
        | `NSPOSIXErrorDomain` | `errno` | what the system said of a file |

        ## Errors of Swift

        These are values, thrown by what has no counterpart in Apple's framework:

        | type | thrown by | what it has |
        |---|---|---|
        | `PredicateParseError` | `NSPredicate(parsing:)`, `NSExpression(parsing:)` | place, what was found and what was expected |
        | `PredicateConversionError` | the conversion of a predicate to Swift's own kind, or from it | the part that has no counterpart, and why |
        | `ExpressionError` | evaluating a predicate or an expression; a fetch throws 134060 | function, key or type that does not fit |
        | `UnknownKeyError` | `setValues(_:)` and other twins that throw | the key, and the nearest that is there |
        | `ValuesError` | `setValues(_:)`, `update(from:)` | for each bad key its error; as an `NSError` it is 1560 |
        | `TransferError` | transfers of `CoreDataTransfer` | the kind of failure, the URL after redirects, the response that was not accepted |
        | `NetServiceError` | services, listeners and streams of `NetServices` | Apple's code, what happened, and what to do |
        | `MailError` | messages, transports, the outbox and sharing, of `CoreDataMail` | the kind of failure, what happened, what to do, and the recipients that were refused |
        | `CoordinateError` | coordinates of `CoreDataPlaces` | the attribute, whether the numbers would be a place if they were exchanged |
        | `CLError` | location managers and geocoders of `CoreDataPlaces` | Apple's code, what happened, and what to do |
        | `CodeError` | codes that are read and made by `CoreDataCodes` | the kind of failure, what happened, and what to do |
        | `SpeechError` | texts that `CoreDataSpeech` speaks | the kind of failure, what happened, and what to do |
        | `RecordingError` | sounds and films of `CoreDataRecordings` | the kind of failure, what happened, and what to do |
        | `TrackError` | tracks of `CoreDataPlaces` | the kind of failure, line and column, and what to do |
        | `GazetteerError` | making and opening gazetteers of `CoreDataGazetteer` | the file and its line, and what is wrong |
        | `PictureFileError` | pictures of `CoreDataPictures` | the kind of failure, what happened, and what to do, such as the package to install |
        | `PhotoLibraryError` | photo libraries of `CoreDataPhotoLibrary` | the kind of failure, what happened, and what to do |
        | `AVError` | capture of `CoreDataPictures` | Apple's code, what happened, and what to do |
        | `MediaLibraryError` | libraries of sound and film of `CoreDataMedia` | the kind of failure, what happened, and what to do |
        | `PictureError` | pictures of `CoreDataTransfer` | the kind of failure, and the URL |
        | `ImportError` | imports into containers, of `CoreDataExchange` | the kind of failure, the refused records with document, line and path, and the identifier of what was committed before |
        | `BackupError` | backups of folders, of `CoreDataExchange` | the kind of failure, the place, the first damaged files, and what to do |
        | `TestingError` | what tests set up with `CoreDataTesting` | the kind of failure, what it was about, and what to do |
        | `AccountError` | accounts and their requests, of `CoreDataAccounts` | the kind of failure, and the account or the provider |
        | `JobError` | jobs and their journal, of `CoreDataJobs` | what cannot be done, and why |
        | `SyncError` | sync of stores, of `CoreDataSyncing` and `CoreDataSyncHub` | the kind of failure, what happened, and what to do |
        | `MCError` | sessions, advertisers and browsers of `MultipeerConnectivity` | Apple's code, what happened, and what to do |
        | `SwiftDataError` | schemas, containers, predicates, migration plans and history of `SwiftData` | the kind of failure, and what was wrong where |
        | `DataStoreError` | stores of one's own in `SwiftData` | what such a store leaves to the library, or does not do |
        | `LanguageError` | languages by option, of `CoreDataLocalization` | the text that is no language |
        | `StringTableError` | tables of texts, of `CoreDataLocalization` | the file, line and column, and what is wrong |
        | `ReadingError` | numbers and dates as typed, of `CoreDataLocalization` | the place in the text, and what was expected |

        ## Exit codes of the tool

        | code | of | meaning |
        |--:|---|---|
        | 0 | all | done; also when the reader of the output went away |
        | 1 | all | refused or failed; a line on standard error says why |
        | 1 | `model diff`, `compare` | the two differ |
        | 1 | `check`, `model check` | there are findings |
        | 1 | `port` | something is left to do by hand |
        | 2 | all | the command line itself is wrong |
        | 2 | `model diff`, `compare`, `check`, `port` | also: refused or failed |
        | 3 | `migrate` | data would be lost |

        """
}
