/// One step of a database's schema: from the version before it to this one.
package struct Migration: Sendable {
    /// The version after the step.
    package let version: Int
    /// What the step is for, as a comment of the printed SQL.
    package let purpose: String
    /// The statements, each of which a database can run by itself, without the semicolons at their ends.
    package let statements: [String]

    /// Creates a step of these statements.
    package init(version: Int, purpose: String, statements: [String]) {
        self.version = version
        self.purpose = purpose
        self.statements = statements
    }
}

/// All steps of a database's schema; versions begin at 1 and have no gaps.
package struct Migrations: Sendable {
    /// The steps, in order.
    package let steps: [Migration]

    /// Creates the list of these steps.
    package init(_ steps: [Migration]) {
        precondition(steps.map(\.version) == Array(1...steps.count), "versions are numbered from 1 without gaps")
        self.steps = steps
    }

    /// The version that this library writes and reads.
    package var newest: Int { steps.count }

    /// Returns the steps that are left for a database of this version; an empty database has version 0.
    ///
    /// - Throws: ``NewerSchema`` if a newer library has migrated the database.
    package func steps(after version: Int) throws(NewerSchema) -> ArraySlice<Migration> {
        if version > newest { throw NewerSchema(version: version, newest: newest) }
        return steps.dropFirst(max(0, version))
    }

    /// The SQL of the steps after a version, for a team that migrates with a tool of its own.
    ///
    /// - Parameters:
    ///   - version: The version from which the SQL leads to the newest one.
    ///   - setVersion: The statement that notes a version, in the database's own way.
    /// - Returns: The statements, with a comment before each step.
    /// - Throws: ``NewerSchema`` if a newer library has migrated the database.
    package func sql(after version: Int, setVersion: (Int) -> String) throws(NewerSchema) -> String {
        var lines: [String] = []
        for step in try steps(after: version) {
            lines.append("-- Version \(step.version): \(step.purpose)")
            lines += step.statements.map { $0 + ";" }
            lines.append(setVersion(step.version) + ";")
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}

/// A database whose schema a newer version of the library wrote.
package struct NewerSchema: Error, Sendable, Hashable, CustomStringConvertible {
    /// The version of the database.
    package let version: Int
    /// The newest version that this library knows.
    package let newest: Int

    /// What is the matter, and what to do.
    package var description: String {
        "The database has schema version \(version), and this version of the library knows \(newest); update the library."
    }
}
