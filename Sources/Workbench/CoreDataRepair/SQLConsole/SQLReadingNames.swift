/// The names of SQLite's pragmas and functions that statements of the console may use, as they only read.
enum SQLReadingNames {
    /// Pragmas that only return rows, also with an argument.
    static let questions: Set<String> = [
        "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
        "foreign_key_check", "integrity_check", "quick_check",
    ]

    /// Pragmas that return a setting or a list when called without an argument; with one, some would change the
    /// setting.
    static let settings: Set<String> = [
        "page_count", "page_size", "freelist_count", "schema_version", "user_version", "application_id", "encoding",
        "journal_mode", "auto_vacuum", "data_version", "database_list", "collation_list", "function_list",
        "module_list",
        "pragma_list", "compile_options", "cache_size", "synchronous", "foreign_keys", "query_only", "trusted_schema",
    ]

    /// Functions of SQLite: https://www.sqlite.org/lang_corefunc.html and the pages beside it. Those that load code,
    /// write, read files, or take pointers are not among them.
    static let functions: Set<String> = [
        // Values and texts.
        "abs", "changes", "char", "coalesce", "concat", "concat_ws", "format", "glob", "hex", "if", "ifnull", "iif",
        "instr",
        "last_insert_rowid", "length", "like", "likelihood", "likely", "lower", "ltrim", "max", "min", "nullif",
        "octet_length", "printf", "quote", "random", "randomblob", "replace", "round", "rtrim", "sign", "soundex",
        "sqlite_compileoption_get", "sqlite_compileoption_used", "sqlite_source_id", "sqlite_version", "substr",
        "substring", "total_changes", "trim", "typeof", "unhex", "unicode", "unistr", "unlikely", "upper", "zeroblob",
        // Calculations.
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh", "degrees", "exp",
        "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians", "sin", "sinh", "sqrt", "tan",
        "tanh",
        "trunc",
        // Dates.
        "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday", "strftime", "time",
        "timediff",
        "unixepoch",
        // Groups and windows.
        "avg", "count", "group_concat", "string_agg", "sum", "total", "median", "percentile", "cume_dist", "dense_rank",
        "first_value", "lag", "last_value", "lead", "nth_value", "ntile", "percent_rank", "rank", "row_number",
        // JSON.
        "json", "json_array", "json_array_length", "json_extract", "json_group_array", "json_group_object",
        "json_insert",
        "json_object", "json_patch", "json_pretty", "json_quote", "json_remove", "json_replace", "json_set",
        "json_type",
        "json_valid", "->", "->>",
        // Searches of full-text tables.
        "bm25", "highlight", "match", "matchinfo", "offsets", "snippet",
    ]

    /// Functions whose run time is proportional to the product of the lengths of two arguments.
    static let slowFunctions: Set<String> = ["glob", "instr", "like", "ltrim", "replace", "rtrim", "trim"]
}
